/** The report on a project as text for a terminal. */
import { hardforkName } from "../../../chainspec/hardforks/hardforks.ts";
import type { HardforkRun } from "./hardfork-side.ts";
import type { DeploymentReport, GasConstantReport, HardforkReport } from "./project-report.ts";

/**
 * Deployments are sorted: first those that the second hardfork refuses, then by gas, most first. Hard-coded gas that is
 * no longer enough for some operation comes before other hard-coded gas.
 */
export function reportText(report: HardforkReport): string {
  const { deployments, gasConstants, gaps } = report;
  const [before, after] = report.hardforks.map(hardforkName);
  const sorted = [...deployments].sort(
    (left, right) => right.problems.length - left.problems.length || Number(totalOf(right) - totalOf(left)),
  );
  const lines = [`Deployments, in gas on ${before} and on ${after}:`, ...sorted.flatMap(deploymentLines)];
  if (deployments.some(({ isExact }) => !isExact)) lines.push(AT_LEAST);
  if (gasConstants.length > 0) {
    const short = gasConstants.filter(({ lost }) => lost.length > 0);
    const enough = gasConstants.filter(({ lost }) => lost.length === 0);
    lines.push("", `Hard-coded gas that pays for less on ${after}:`, ...(short.flatMap(constantLines) || []));
    if (short.length === 0) lines.push("  none");
    if (enough.length > 0) lines.push("", "Other hard-coded gas:", ...enough.flatMap(constantLines));
  }
  return `${[...lines, ...gaps.flatMap((gap) => ["", gap])].join("\n")}\n`;
}

const AT_LEAST = "  (at least: its constructor needs arguments or fails, so what that does is not counted)";

function totalOf({ runs }: DeploymentReport): bigint {
  return runs[1].gas?.total ?? 0n;
}

function deploymentLines({ name, codeSize, runs, isExact, problems }: DeploymentReport): string[] {
  const [before, after] = runs.map((run) => gasText(run, isExact));
  return [
    `  ${name} (${codeSize.toLocaleString("en")} bytes): ${before} → ${after}`,
    ...problems.map((problem) => `    ${problem}`),
  ];
}

function gasText({ gas, status, reason }: HardforkRun, isExact: boolean): string {
  if (gas === undefined || status !== "succeeded") return `${status} (${reason})`;
  const state = gas.state > 0n ? ` (${gas.state.toLocaleString("en")} for state)` : "";
  return `${isExact ? "" : "at least "}${gas.total.toLocaleString("en")}${state}`;
}

function constantLines({ file, line, column, gas, text, lost }: GasConstantReport): string[] {
  return [
    `  ${file}:${line}:${column}: ${gas.toLocaleString("en")} gas: ${text}`,
    ...lost.map(({ name, prices: [before, after] }) => {
      return `    no longer enough to ${name}: ${before.toLocaleString("en")} → ${after.toLocaleString("en")}`;
    }),
  ];
}
