/** Formats a gas profile, or the difference of two, as a table for a terminal. */

import type { GasChange, GasDifference } from "./profile-difference.ts";
import type { ProfileRows } from "./profile-rows.ts";

/** Default number of rows in each part. */
const SHOWN = 20;

/** Lists the most expensive functions, lines and opcodes, and the refund. */
export function profileTable(profile: ProfileRows, shown: number = SHOWN): string {
  const { gasUsed, gasRefund, stateGasUsed = 0n } = profile;
  const before = gasUsed + gasRefund;
  const functions = profile
    .functions()
    .slice(0, shown)
    .map(({ name, file, line, calls, self, total }) => [
      name,
      place(file, line),
      count(calls),
      number(self),
      number(total),
      share(total, before),
    ]);
  const lines = profile
    .lines()
    .slice(0, shown)
    .map(({ file, line, gas, count: times }) => [
      place(file, line) || "(no source)",
      count(times),
      number(gas),
      share(gas, before),
    ]);
  const opcodes = profile
    .opcodes()
    .slice(0, shown)
    .map(({ name, gas, count: times }) => [name, count(times), number(gas), share(gas, before)]);
  const refund = gasRefund === 0n ? "" : ` (${number(before)} less a refund of ${number(gasRefund)})`;
  const state = stateGasUsed === 0n ? "" : `, of which ${number(stateGasUsed)} for new state`;
  return [
    `gas used ${number(gasUsed)}${refund}${state}`,
    table([["function", "place", "calls", "self", "total", "%"], ...functions], 2),
    table([["line", "operations", "gas", "%"], ...lines], 1),
    table([["opcode", "times", "gas", "%"], ...opcodes], 1),
  ].join("\n\n");
}

/** Lists the changes, the largest first. */
export function differenceTable({ gasUsed, functions, lines, opcodes }: GasDifference, shown: number = SHOWN): string {
  const rows = (changes: readonly GasChange[]): string[][] =>
    changes
      .slice(0, shown)
      .map(({ name, before, after, change }) => [name, number(before), number(after), signed(change)]);
  const part = (title: string, changes: readonly GasChange[]): string[] =>
    changes.length === 0 ? [] : [table([[title, "before", "after", "change"], ...rows(changes)], 1)];
  const head = `gas used ${number(gasUsed.before)} -> ${number(gasUsed.after)} (${signed(gasUsed.change)})`;
  return [head, ...part("function", functions), ...part("line", lines), ...part("opcode", opcodes)].join("\n\n");
}

/**
 * Aligns columns: the first `left` ones to the left, the others to the right.
 *
 * @param left - number of columns
 */
export function table(rows: readonly (readonly string[])[], left: number): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => (column < left ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

function place(file: string | undefined, line: number | undefined): string {
  return file === undefined ? "" : `${file}:${line}`;
}

function share(gas: bigint, of: bigint): string {
  return of === 0n ? "" : (Number((gas * 1000n) / of) / 10).toFixed(1);
}

/** For example `21,000`. */
function number(gas: bigint): string {
  return gas.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

function signed(gas: bigint): string {
  return gas > 0n ? `+${number(gas)}` : number(gas);
}

function count(times: number): string {
  return number(BigInt(times));
}
