#!/usr/bin/env node
/** The process of the `hindcast` command: signals, streams and exit code. */
import type * as Command from "./command.ts";
import { type CompiledScript, Extent, runCompiled } from "./compiled-script.ts";

const EXIT_FAILED = 1;
/** Exit code after a second Ctrl-C, by the shells' convention. */
const EXIT_INTERRUPTED = 130;

/** Milliseconds between checks whether npm is still running. */
const PARENT_CHECK_MS = 500;

const { exports: command, keep } = loadCommand();
const { stdout, stderr, env } = process;
process.exitCode = await (command as typeof Command).runCommand(process.argv.slice(2), {
  stdout,
  stderr,
  env,
  cwd: workingFolder(),
  stop: untilSignal(),
  // Only after a successful start, because a run that fails or prints the help gains little from a code cache.
  onUp: () => keep(Extent.start),
  // A start alone has not called what transactions need: half of the time of first requests is compiling.
  onUsed: () => keep(Extent.requests),
});

/**
 * Loads the command, a bundled script, with the code cache of an earlier start. It gains more than Node's own compile
 * cache (22.8 and later).
 */
function loadCommand(): CompiledScript {
  const { fileURLToPath } = process.getBuiltinModule("node:url");
  const cache = `../compiled/${process.version}-${process.platform}-${process.arch}`;
  return runCompiled(
    fileURLToPath(new URL("./command.cjs", import.meta.url)),
    fileURLToPath(new URL(cache, import.meta.url)),
  );
}

/** The working folder may have been deleted. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write("hindcast: The working folder is gone. Start in another one.\n");
    process.exit(EXIT_FAILED);
  }
}

/**
 * A signal that aborts on the first Ctrl-C or SIGTERM, or when npm has ended. A second signal ends the process at once.
 */
function untilSignal(): AbortSignal {
  const controller = new AbortController();
  whenNpmIsGone(() => controller.abort());
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    controller.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  // The reader of the output may end first, such as `head`; the node continues.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  return controller.signal;
}

/** npm ends its shell on SIGTERM, but not the programs of that shell, so that `npm start` must detect this itself. */
function whenNpmIsGone(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  setInterval(() => {
    if (process.ppid !== shell) stop();
  }, PARENT_CHECK_MS).unref();
}
