#!/usr/bin/env node
/** The process of the `hindcast` command: its signals, its streams, its exit code. */
import type * as Command from "./command.ts";
import { runKept } from "./kept-script.ts";

/** What shells expect of a program that a second Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

/** How often to look whether npm is still there. */
const PARENT_CHECK_MS = 500;

/** After the node has come up, when to keep what was compiled for it: not before its first clients are answered. */
const KEEP_AFTER_MS = 250;

const { command, keep } = await loadCommand();
const { stdout, stderr, env } = process;
let isUp = false;
process.exitCode = await command.runCommand(process.argv.slice(2), {
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  stop: untilTold(),
  onUp: () => {
    isUp = true;
    setTimeout(keep, KEEP_AFTER_MS).unref();
  },
});
// Of a start that failed, or only printed help, the next one has little to gain.
if (isUp) keep();

interface LoadedCommand {
  readonly command: typeof Command;
  /** Keeps what V8 has compiled so far for the next start. */
  keep(): void;
}

/**
 * Loads the command with what V8 compiled of it at an earlier start: by Node's own means where it has them (22.8 and
 * later), else from a script beside this file that holds the same as the modules.
 */
async function loadCommand(): Promise<LoadedCommand> {
  const { enableCompileCache, flushCompileCache } = process.getBuiltinModule("node:module") as CompileCache;
  const { existsSync } = process.getBuiltinModule("node:fs");
  const { fileURLToPath } = process.getBuiltinModule("node:url");
  const script = fileURLToPath(new URL("./command.cjs", import.meta.url));
  if (enableCompileCache !== undefined || !existsSync(script)) {
    enableCompileCache?.();
    return { command: await import("./command.ts"), keep: () => flushCompileCache?.() };
  }
  const kept = fileURLToPath(new URL(`../compiled/${process.version}-${process.arch}`, import.meta.url));
  const { exports, keep } = runKept(script, kept);
  return { command: exports as typeof Command, keep };
}

/** What `node:module` has on newer Nodes. */
interface CompileCache {
  readonly enableCompileCache?: () => void;
  readonly flushCompileCache?: () => void;
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
