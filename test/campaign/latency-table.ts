/** The table of the latency campaign in docs/latency.md. */
import { cpus, totalmem } from "node:os";

/** One request, or several, that were served. */
export interface LatencyRow {
  readonly name: string;
  /** Longest wait of the second client in milliseconds while the method's example was asked for the first time. */
  readonly firstMs: number;
  /** The same for the largest requests after it. */
  readonly waitMs: number;
  /** Most memory above the idle node. */
  readonly peakBytes: number;
  /** Ten seconds after the answer; only where the peak was high. */
  readonly keptBytes: number | undefined;
  /** Code and beginning of the text of the error, or the length of the answer. */
  readonly outcome: string;
}

/** What the largest requests should not exceed. */
const AIMS = { waitMs: 100, peakBytes: 512 * 2 ** 20, keptBytes: 64 * 2 ** 20 };
/** Rows of the table of first calls: those that took longer than a turn of the event loop. */
const SHOWN_FIRST_MS = 50;

/** Bytes as they are shown. */
export const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

/** The page with other tables between its two markers. */
export function latencyPaper(page: string, rows: readonly LatencyRow[]): string {
  const [start, end] = ["<!-- latency: generated -->", "<!-- end -->"];
  const [before, rest = ""] = page.split(start);
  const after = rest.slice(rest.indexOf(end));
  return `${before}${start}\n\n${tablesOf(rows)}\n${after}`;
}

function tablesOf(rows: readonly LatencyRow[]): string {
  const machine = `Node ${process.version}, ${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const measured = new Set(rows.map(({ name }) => methodOf(name)));
  const byWait = shown([...rows].sort((left, right) => right.waitMs - left.waitMs));
  const byFirst = [...rows].sort((left, right) => right.firstMs - left.firstMs);
  const seen = new Set<string>();
  const firsts = byFirst.filter(({ name, firstMs }) => {
    const method = methodOf(name);
    if (firstMs < SHOWN_FIRST_MS || seen.has(method)) return false;
    return seen.add(method);
  });
  return [
    `${new Date().toISOString().slice(0, 10)}, ${machine}, ${rows.length} requests or methods, of ${measured.size} methods.`,
    "",
    "| Request | Longest wait | Memory | After ten seconds | Outcome |",
    "| --- | ---: | ---: | ---: | --- |",
    ...byWait.map(
      ({ name, waitMs, peakBytes, keptBytes, outcome }) =>
        `| ${cell(name)} | ${Math.round(waitMs)} ms | ${mebibytes(peakBytes)} | ${keptBytes === undefined ? "" : mebibytes(keptBytes)} | ${cell(outcome)} |`,
    ),
    "",
    "First calls, which load the code of their method:",
    "",
    "| Method | Longest wait |",
    "| --- | ---: |",
    ...firsts.map(({ name, firstMs }) => `| ${cell(methodOf(name))} | ${Math.round(firstMs)} ms |`),
    "",
  ].join("\n");
}

/** Of a method whose requests were measured one by one: those beyond an aim, otherwise the one that others waited for longest. */
function shown(byWait: readonly LatencyRow[]): LatencyRow[] {
  const seen = new Set<string>();
  return byWait.filter(({ name, waitMs, peakBytes, keptBytes = 0 }) => {
    const isFirst = !seen.has(methodOf(name));
    seen.add(methodOf(name));
    return isFirst || waitMs > AIMS.waitMs || peakBytes > AIMS.peakBytes || keptBytes > AIMS.keptBytes;
  });
}

const methodOf = (name: string): string => name.split(" ", 1)[0] as string;

function cell(text: string): string {
  return text.slice(0, 90).replaceAll("|", "\\|").replaceAll(/[<>`]/g, "");
}
