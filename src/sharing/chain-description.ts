/** What a reader has to know of a chain before it opens a copy: as text, because it has integers and bytes. */
import type { Genesis } from "../chainspec/genesis/genesis.ts";
import { decodeData, encodeData } from "../primitives/bytes/hex.ts";
import type { ChainIdentity } from "../store/backends/chain-identity.ts";

/** A chain that can be followed. */
export interface ChainDescription {
  /** Without the accounts, which the stream has. */
  readonly genesis: Omit<Genesis, "alloc">;
  readonly identity: ChainIdentity;
  /** RLP of the header of the genesis block. */
  readonly genesisHeader: Uint8Array;
  /** Options of the writer on which answers depend, by name. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The description as JSON: an integer is `n` and its digits, bytes are `x` and DATA, a text is `t` and itself. */
export function encodeDescription(description: ChainDescription): string {
  return JSON.stringify(toPlain(description));
}

/** @throws {SyntaxError | TypeError} if the text is no description */
export function decodeDescription(text: string): ChainDescription {
  return fromPlain(JSON.parse(text)) as ChainDescription;
}

function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return `n${value}`;
  if (typeof value === "string") return `t${value}`;
  if (value instanceof Uint8Array) return `x${encodeData(value)}`;
  if (Array.isArray(value)) return value.map(toPlain);
  return typeof value === "object" && value !== null ? eachMember(value, toPlain) : value;
}

function fromPlain(value: unknown): unknown {
  if (typeof value === "string") {
    const rest = value.slice(1);
    if (value[0] === "n") return BigInt(rest);
    return value[0] === "x" ? decodeData(rest) : rest;
  }
  if (Array.isArray(value)) return value.map(fromPlain);
  return typeof value === "object" && value !== null ? eachMember(value, fromPlain) : value;
}

function eachMember(value: object, change: (member: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, change(member)]),
  );
}
