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
/** Characters that are shown of an outcome. */
const MOST_OF_OUTCOME = 50;
/** Rows of the table of first calls: those that took longer than a turn of the event loop. */
const SHOWN_FIRST_MS = 50;

/** Bytes as they are shown. */
export const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

/** A line of a table: the wait that it is sorted by, and its method. */
interface TableLine {
  readonly method: string;
  readonly waitMs: number;
  readonly text: string;
}

/** The page with these rows in its tables between its two markers; those of methods that were not measured now stay. */
export function latencyPaper(page: string, rows: readonly LatencyRow[]): string {
  const [start, end] = ["<!-- latency: generated -->", "<!-- end -->"];
  const [before = "", rest = ""] = page.split(start);
  const [tables = ""] = rest.split(end);
  return `${before}${start}\n\n${tablesOf(rows, tables)}\n${rest.slice(rest.indexOf(end))}`;
}

/** @param earlier - the tables of the page */
function tablesOf(rows: readonly LatencyRow[], earlier: string): string {
  const machine = `Node ${process.version}, ${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const measured = new Set(rows.map(({ name }) => methodOf(name)));
  const [earlierWaits = "", earlierFirsts = ""] = earlier.split("First calls");
  const stays = ({ method }: TableLine): boolean => !measured.has(method);
  const waits = [...linesOf(earlierWaits).filter(stays), ...waitLines(rows)].sort(byWait);
  const firsts = [...linesOf(earlierFirsts).filter(stays), ...firstLines(rows)].sort(byWait);
  const methods = new Set(waits.map(({ method }) => method)).size;
  return [
    `${methods} methods, the last of them measured on ${new Date().toISOString().slice(0, 10)}, ${machine}.`,
    "",
    "| Request | Longest wait | Memory | After ten seconds | Outcome |",
    "| --- | ---: | ---: | ---: | --- |",
    ...waits.map(({ text }) => text),
    "",
    "First calls, which load the code of their method:",
    "",
    "| Method | Longest wait |",
    "| --- | ---: |",
    ...firsts.map(({ text }) => text),
    "",
  ].join("\n");
}

const byWait = (left: TableLine, right: TableLine): number => right.waitMs - left.waitMs;

/** The lines of a table in a page. */
function linesOf(table: string): TableLine[] {
  return [...table.matchAll(/^\| (\S+).*? \| (\d+) ms \|.*$/gm)].map(([text, method = "", ms]) => ({
    method,
    waitMs: Number(ms),
    text,
  }));
}

function waitLines(rows: readonly LatencyRow[]): TableLine[] {
  return shown([...rows].sort((left, right) => right.waitMs - left.waitMs)).map(
    ({ name, waitMs, peakBytes, keptBytes, outcome }) => ({
      method: methodOf(name),
      waitMs,
      text: `| ${cell(name)} | ${Math.round(waitMs)} ms | ${mebibytes(peakBytes)} | ${keptBytes === undefined ? "" : mebibytes(keptBytes)} | ${cell(outcome.slice(0, MOST_OF_OUTCOME)).trim()} |`,
    }),
  );
}

function firstLines(rows: readonly LatencyRow[]): TableLine[] {
  const longest = new Map<string, number>();
  for (const { name, firstMs } of rows) {
    const method = methodOf(name);
    longest.set(method, Math.max(longest.get(method) ?? 0, firstMs));
  }
  return [...longest]
    .filter(([, firstMs]) => firstMs >= SHOWN_FIRST_MS)
    .map(([method, firstMs]) => ({
      method,
      waitMs: firstMs,
      text: `| ${cell(method)} | ${Math.round(firstMs)} ms |`,
    }));
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
