#!/usr/bin/env node
/** The process of the `hindcast` command: its signals, its streams, its exit code. */
import nodeModule from "node:module";

/** What shells expect of a program that a second Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

/** How often to look whether npm is still there. */
const PARENT_CHECK_MS = 500;

keepCompiledCode();
const { runCommand } = await import("./command.ts");
const { stdout, stderr, env } = process;
process.exitCode = await runCommand(process.argv.slice(2), {
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  stop: untilTold(),
});

/** Lets V8 keep what it compiles from here on for the next start, where Node can (22.8 and later). */
function keepCompiledCode(): void {
  const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void };
  enableCompileCache?.();
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
  process.stdout.on("error", () => undefined);
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
