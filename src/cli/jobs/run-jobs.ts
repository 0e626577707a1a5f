/** Runs `hindcast jobs`: connects to PostgreSQL, and does what was asked for. */
import { resolve } from "node:path";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { checkSharedOptions, DEFAULT_CHAIN } from "../../node/options/shared-options.ts";
import { Attempts } from "../../sharing/jobs/attempts.ts";
import { JobQueue } from "../../sharing/jobs/job-queue.ts";
import { type Deliver, RunDelivery } from "../../sharing/jobs/run-delivery.ts";
import { type ListedRun, RunRecords } from "../../sharing/jobs/run-records.ts";
import { type RunRow, type RunWish, rangesOf } from "../../sharing/jobs/run-row.ts";
import { LogConnection } from "../../sharing/postgres/connection.ts";
import { usageError } from "../flags/option-values.ts";
import type { CliSettings } from "../options/settings.ts";
import type { Terminal } from "../output/output.ts";
import type { JobsAction, WantedRun } from "./jobs-command.ts";
import { describeWish, ResultFolder } from "./result-folder.ts";
import { driveRun } from "./run-loop.ts";

/** Streams, the working folder, and the signal that interrupts. */
export interface JobsContext extends Terminal {
  readonly cwd: string;
  readonly stop: AbortSignal;
}

interface Parts {
  readonly settings: CliSettings;
  readonly context: JobsContext;
  readonly connection: LogConnection;
  readonly signs: LogConnection;
  readonly chain: string;
  readonly queue: JobQueue;
  readonly records: RunRecords;
}

/**
 * Does what `hindcast jobs` was asked for.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`; `FILE_NOT_WRITABLE` for the folder
 * @throws {UnsupportedError} `JOBS_REFUSED`, `JOBS_FAILED`, `SHARED_LOG_REFUSED`, `PACKAGE_MISSING`
 * @throws {RemoteError} `SHARED_LOG_UNREACHABLE`
 * @throws {LimitError} `EXECUTION_ABORTED` if it was interrupted
 */
export async function runJobs(action: JobsAction, settings: CliSettings, context: JobsContext): Promise<void> {
  const { shared } = settings;
  if (shared === undefined) {
    throw usageError("hindcast jobs needs --shared.", "It is the URL of the PostgreSQL that has the chain.");
  }
  checkSharedOptions(shared, {});
  const { url, chain = DEFAULT_CHAIN } = shared;
  const connection = new LogConnection(url);
  const signs = new LogConnection(url);
  try {
    const queue = await JobQueue.open(connection, chain);
    const records = new RunRecords(connection, queue, chain);
    const parts = { settings, context, connection, signs, chain, queue, records };
    if (action.name === "list") context.stdout.write(listText(await records.list(), await records.countWorkers()));
    else if (action.name === "cancel") await cancel(action.id, parts);
    else await run(action, parts);
  } finally {
    await Promise.all([connection.close(), signs.close()]);
  }
}

async function cancel(id: string, { records, context }: Parts): Promise<void> {
  const run = await records.require(id);
  if (run.state !== "complete" && run.state !== "cancelled") await records.cancel(run);
  context.stdout.write(`The run ${id} is ${run.state === "complete" ? "complete" : "cancelled"}.\n`);
}

async function run({ out, name: _, ...wanted }: WantedRun, parts: Parts): Promise<void> {
  const wish: RunWish = { chain: parts.chain, ...wanted };
  if ("table" in out) {
    const found = await runOfTable(out.table, wish, parts);
    await drive(found, parts, undefined);
    return;
  }
  const path = resolve(parts.context.cwd, out.folder);
  const folder = await ResultFolder.open(path, wish);
  if (folder.isComplete) {
    parts.context.stdout.write(`The run is complete: ${path}\n`);
    return;
  }
  const found = await runOfFolder(folder, wish, parts);
  await folder.requireDelivered(found);
  await drive(found, parts, folder.deliver);
  await folder.complete();
}

async function runOfFolder(folder: ResultFolder, wish: RunWish, { records }: Parts): Promise<RunRow> {
  const found = await records.find(folder.run);
  if (found !== undefined) return found;
  if (await folder.isEmpty()) {
    return records.begin({ id: folder.run, wish, table: undefined, destination: folder.path });
  }
  throw new UnsupportedError({
    code: "JOBS_REFUSED",
    what: `The database does not know the run ${folder.run} of the folder ${folder.path}.`,
    fix: "Name the database in which it began, or another folder.",
  });
}

async function runOfTable(table: string, wish: RunWish, { records }: Parts): Promise<RunRow> {
  const { run, isThere } = await records.ofTable(table);
  const fix = "Name another table, or drop that one.";
  if (!isThere) return records.begin({ id: crypto.randomUUID(), wish, table, destination: `table ${table}` });
  if (run === undefined) {
    throw new UnsupportedError({ code: "JOBS_REFUSED", what: `The table ${table} is not that of a run.`, fix });
  }
  if (await records.isSame(run, wish)) return run;
  const what = `The table ${table} has another run: ${describeWish(run.wish)}.`;
  throw new UnsupportedError({ code: "JOBS_REFUSED", what, fix });
}

async function drive(found: RunRow, parts: Parts, deliver: Deliver | undefined): Promise<void> {
  const { connection, signs, records, queue, chain, settings, context } = parts;
  const notice = (text: string): void => void context.stderr.write(`hindcast: ${text}\n`);
  await records.resume(found);
  const blocks = await driveRun({
    run: found,
    records,
    delivery: new RunDelivery(connection, records, deliver),
    attempts: new Attempts(connection, queue, chain),
    signs,
    stop: context.stop,
    progress: settings.quiet ? undefined : { stderr: context.stderr, isJson: settings.json, notice },
    notice,
  });
  context.stdout.write(`Complete: ${blocks} blocks in ${found.destination}\n`);
}

function listText(runs: readonly ListedRun[], workers: number): string {
  const nodes = `${workers} ${workers === 1 ? "node takes" : "nodes take"} jobs of this chain.\n`;
  return [...runs.map(runText), nodes].join("");
}

function runText({ run, hasCommand }: ListedRun): string {
  const { id, wish, destination, state, error, delivered, blocks } = run;
  const part = blocks === undefined ? "" : ` ${(100n * delivered) / rangesOf(run).count} %`;
  const waits = hasCommand || (state !== "running" && state !== "planning") ? "" : ", without a command";
  const reason = error === undefined ? "" : `: ${error}`;
  const shown = state === "running" ? `${state}${part}` : state;
  return `${id}  ${shown}${waits}  ${describeWish(wish)}, into ${destination}${reason}\n`;
}
