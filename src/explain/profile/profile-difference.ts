/** The differences between two gas profiles. */
import type { ProfileRows } from "./profile-rows.ts";

/** Gas of the same function, line or opcode in both profiles; 0 in a profile that does not contain it. */
export interface GasChange {
  /** A function, a line as `src/Vault.sol:41`, or an opcode. */
  readonly name: string;
  readonly before: bigint;
  readonly after: bigint;
  readonly change: bigint;
}

/** Only entries whose gas changed, the largest change first. */
export interface GasDifference {
  /** Gas that the senders pay for. */
  readonly gasUsed: Omit<GasChange, "name">;
  /** Gas of each function without its calls. */
  readonly functions: readonly GasChange[];
  readonly lines: readonly GasChange[];
  readonly opcodes: readonly GasChange[];
}

type Row = readonly [name: string, gas: bigint];

/** Compares two profiles by the names of functions, the lines and the opcodes. */
export function differenceOf(before: ProfileRows, after: ProfileRows): GasDifference {
  const compare = (rowsOf: (profile: ProfileRows) => readonly Row[]): readonly GasChange[] =>
    changes(rowsOf(before), rowsOf(after));
  return {
    gasUsed: { before: before.gasUsed, after: after.gasUsed, change: after.gasUsed - before.gasUsed },
    functions: compare((profile) => profile.functions().map(({ name, self }) => [name, self])),
    lines: compare((profile) =>
      profile.lines().map(({ file, line, gas }) => [file === undefined ? "(no source)" : `${file}:${line}`, gas]),
    ),
    opcodes: compare((profile) => profile.opcodes().map(({ name, gas }) => [name, gas])),
  };
}

function changes(before: readonly Row[], after: readonly Row[]): readonly GasChange[] {
  const [old, recent] = [sums(before), sums(after)];
  return [...new Set([...old.keys(), ...recent.keys()])]
    .map((name): GasChange => {
      const [was, is] = [old.get(name) ?? 0n, recent.get(name) ?? 0n];
      return { name, before: was, after: is, change: is - was };
    })
    .filter(({ change }) => change !== 0n)
    .sort((left, right) => Number(size(right.change) - size(left.change)));
}

function sums(rows: readonly Row[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [name, gas] of rows) sums.set(name, (sums.get(name) ?? 0n) + gas);
  return sums;
}

function size(change: bigint): bigint {
  return change < 0n ? -change : change;
}
