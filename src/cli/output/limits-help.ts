/** The text of `hindcast help limits`: what is limited without a flag. */
import { FIXED_LIMITS } from "../../rpc/fixed-limits.ts";

const INTRODUCTION = `Limits that no flag sets: counts, bytes and milliseconds. docs/options.md says what each limits; hindcast_nodeInfo
answers them too, and those that flags set.
`;

/** A line for each limit. */
export function limitsHelp(): string {
  const rows = Object.entries(FIXED_LIMITS).map(([name, value]) => [name, value.toLocaleString("en")] as const);
  const [nameWidth, valueWidth] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([name, value]) => `  ${name.padEnd(nameWidth ?? 0)}  ${value.padStart(valueWidth ?? 0)}`);
  return `${INTRODUCTION}\n${lines.join("\n")}\n`;
}
