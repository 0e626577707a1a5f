/** Figures of a campaign: what was done, how long it took, and whether memory and latencies stay flat. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How much of everything is to be done; set by run.mjs, small otherwise. */
export const counts = {
  kills: Number(process.env.CAMPAIGN_KILLS ?? 6),
  requests: Number(process.env.CAMPAIGN_REQUESTS ?? 2_000),
  transactions: Number(process.env.CAMPAIGN_TRANSACTIONS ?? 2_000),
};

const MINUTES_EACH = Number(process.env.CAMPAIGN_MINUTES ?? Number.POSITIVE_INFINITY);

/** A clock for one test: tells whether the minutes of the test are over, so that it ends with the figures it has. */
export function startClock(): () => boolean {
  const endsAt = performance.now() + MINUTES_EACH * 60_000;
  return () => performance.now() >= endsAt;
}

/** Two for each quarter. */
const FEWEST_SAMPLES = 8;

/** A value at the end of each part of a run. */
export interface Trend {
  /** Mean of the third quarter, and of the last. */
  readonly third: number;
  readonly last: number;
  /** The last is at most a tenth above the third. */
  readonly isFlat: boolean;
}

/** Compares the last quarter of samples with the one before; undefined for too few of them. */
export function trendOf(samples: readonly number[]): Trend | undefined {
  if (samples.length < FEWEST_SAMPLES) return undefined;
  const half = samples.slice(samples.length >> 1);
  const [third, last] = [half.slice(0, half.length >> 1), half.slice(half.length >> 1)].map(meanOf) as [number, number];
  return { third, last, isFlat: last <= third * 1.1 };
}

function meanOf(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / Math.max(1, samples.length);
}

/** The value that a part of samples is below. */
export function percentile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Resident memory of a process in bytes; of Linux only. */
export function residentBytes(pid: number | undefined): number {
  if (process.platform !== "linux" || pid === undefined) return process.memoryUsage.rss();
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}

/** Hundredths of a second to milliseconds: Linux counts processor time so. */
const TICK_MS = 10;

/** Processor time that a process has taken, in milliseconds: unlike latencies it is the same on a busy machine. Of Linux only. */
export function processorMs(pid: number | undefined): number {
  if (process.platform !== "linux" || pid === undefined) return 0;
  // Behind the program's name, which may hold spaces: user time is the 12th, system time the 13th.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Keeps the figures of one part for the report. */
export function keep(part: string, figures: Readonly<Record<string, unknown>>): void {
  const folder = process.env.CAMPAIGN_FOLDER;
  console.log(part, JSON.stringify(figures));
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${part}.json`), JSON.stringify(figures));
}
