#!/usr/bin/env node
/** The `hindcast` command: arguments in, exit code out. 0: ended as asked; 1: something failed; 2: wrong flags. */
import nodeModule from "node:module";
import { HindcastError } from "../errors/hindcast-error.ts";
import { VERSION } from "../node/version.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
/** What shells expect of a program that a second Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

/** How often to look whether npm is still there. */
const PARENT_CHECK_MS = 500;

keepCompiledCode();
try {
  const { parseArguments } = await import("./options.ts");
  const request = parseArguments(process.argv.slice(2), process.env, VERSION);
  if (request.kind === "print") process.stdout.write(request.text);
  else {
    const { runNode } = await import("./run.ts");
    await runNode(request.settings, process, VERSION, untilTold());
  }
} catch (error) {
  complain(error);
  process.exitCode = error instanceof HindcastError && error.code === "INVALID_OPTION" ? EXIT_USAGE : EXIT_FAILED;
}

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

/** One line for what the user can mend; the whole story of what only we can. */
function complain(error: unknown): void {
  const isOurs = error instanceof HindcastError && error.code !== "INTERNAL_ERROR";
  const text = isOurs ? error.message.replace(/\s*\n\s*/g, " ") : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`hindcast: ${text}\n`);
}
