#!/usr/bin/env node
/** The process of the `hindcast` command: its signals, its streams, its exit code. */
import type * as Command from "./command.ts";
import { type KeptScript, runKept } from "./kept-script.ts";

const EXIT_FAILED = 1;
/** What shells expect of a program that a second Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

/** How often to look whether npm is still there. */
const PARENT_CHECK_MS = 500;

const { exports: command, keep } = loadCommand();
const { stdout, stderr, env } = process;
process.exitCode = await (command as typeof Command).runCommand(process.argv.slice(2), {
  stdout,
  stderr,
  env,
  cwd: workingFolder(),
  stop: untilTold(),
  // The first start of all takes 20 ms longer for it. Of one that fails or prints help the next has little to gain.
  onUp: keep,
});

/**
 * Loads the command, which is bundled as one script, with what this Node compiled of it at an earlier start.
 *
 * Node's own compile cache (22.8 and later) gains less: 244 ms of processor time to the first answer, 138 this way.
 */
function loadCommand(): KeptScript {
  const { fileURLToPath } = process.getBuiltinModule("node:url");
  const kept = `../compiled/${process.version}-${process.platform}-${process.arch}`;
  return runKept(
    fileURLToPath(new URL("./command.cjs", import.meta.url)),
    fileURLToPath(new URL(kept, import.meta.url)),
  );
}

/** A folder may be deleted under a shell that stands in it. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write("hindcast: The working folder is gone. Start in another one.\n");
    process.exit(EXIT_FAILED);
  }
}

/** Fires on the first Ctrl-C or SIGTERM, or when npm is gone; a second signal ends the process where it stands. */
function untilTold(): AbortSignal {
  const controller = new AbortController();
  whenNpmIsGone(() => controller.abort());
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    controller.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  // Whoever reads our output may leave first, as `head` does; the node goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  return controller.signal;
}

/** npm ends its shell on SIGTERM and leaves what that shell started running: `npm start` has to notice by itself. */
function whenNpmIsGone(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  setInterval(() => {
    if (process.ppid !== shell) stop();
  }, PARENT_CHECK_MS).unref();
}
