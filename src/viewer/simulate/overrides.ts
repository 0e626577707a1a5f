/** State overrides as rows of a form, and as the JSON of the request. */
import { etherText, weiOf } from "../text/amount.ts";

/** One account, as typed. An empty text leaves the state as it is. */
export interface OverrideRow {
  readonly address: string;
  /** In ETH. */
  readonly balance: string;
  readonly nonce: string;
  readonly code: string;
  /** A slot for each line: `3 = 0x2a`. */
  readonly slots: string;
}

/** A new row. */
export const EMPTY_OVERRIDE: OverrideRow = { address: "", balance: "", nonce: "", code: "", slots: "" };

/**
 * The JSON of rows; empty without any.
 *
 * @throws {Error} if a text is not valid
 */
export function overridesText(rows: readonly OverrideRow[]): string {
  if (rows.length === 0) return "";
  return JSON.stringify(Object.fromEntries(rows.map((row) => [row.address.trim(), overrideOf(row)])));
}

function overrideOf({ balance, nonce, code, slots }: OverrideRow): object {
  const lines = slots.split(/[\n,]/).filter((line) => line.trim() !== "");
  const stateDiff = Object.fromEntries(
    lines.map((line) => {
      const [slot = "", value = ""] = line.split("=", 2);
      return [wordOf(slot), wordOf(value)];
    }),
  );
  return {
    ...(balance.trim() === "" ? {} : { balance: `0x${weiOf(balance).toString(16)}` }),
    ...(nonce.trim() === "" ? {} : { nonce: `0x${numberOf(nonce).toString(16)}` }),
    ...(code.trim() === "" ? {} : { code: code.trim() }),
    ...(lines.length === 0 ? {} : { stateDiff }),
  };
}

function numberOf(text: string): bigint {
  const trimmed = text.trim();
  if (!/^(\d+|0x[0-9a-f]+)$/i.test(trimmed)) throw new Error(`${text}: expected a number such as 3 or 0x2a.`);
  return BigInt(trimmed);
}

const wordOf = (text: string): string => `0x${numberOf(text).toString(16).padStart(64, "0")}`;

/** The rows of a JSON; undefined if it has members that the form does not. */
export function rowsOf(text: string): readonly OverrideRow[] | undefined {
  if (text.trim() === "") return [];
  try {
    const parsed = JSON.parse(text) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    const rows = Object.entries(parsed).map(([address, override]) => rowOf(address, override));
    return rows.every((row) => row !== undefined) ? rows : undefined;
  } catch {
    return undefined;
  }
}

const KNOWN = new Set(["balance", "nonce", "code", "stateDiff"]);

function rowOf(address: string, override: Readonly<Record<string, unknown>>): OverrideRow | undefined {
  if (Object.keys(override).some((member) => !KNOWN.has(member))) return undefined;
  const { balance, nonce, code, stateDiff } = override as Readonly<Record<string, string | undefined>>;
  const slots = Object.entries((stateDiff ?? {}) as unknown as Readonly<Record<string, string>>);
  return {
    address,
    balance: balance === undefined ? "" : etherText(BigInt(balance)),
    nonce: nonce === undefined ? "" : String(BigInt(nonce)),
    code: code ?? "",
    slots: slots.map(([slot, value]) => `${shortest(slot)} = ${shortest(value)}`).join(", "),
  };
}

function shortest(hex: string): string {
  const value = BigInt(hex);
  return value < 1_000_000n ? String(value) : `0x${value.toString(16)}`;
}
