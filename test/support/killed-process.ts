/** Starts programs of the tests as processes of their own, and kills them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

const LOADER = new URL("../store/run-typescript.mjs", import.meta.url).href;

export interface Killing {
  /** Path of a program in TypeScript. */
  readonly program: string;
  readonly args: readonly string[];
  /** Milliseconds until it is killed. */
  readonly afterMs: number;
  /** They begin with the program's first line, by default; else with its start. */
  readonly fromStart?: boolean;
  /** A line after which it is killed at once. */
  readonly until?: string;
  /** Largest file that it may write, in KiB: a write beyond that fails as on a full disk. */
  readonly fileLimit?: number;
}

/**
 * Runs a program and kills it as `kill -9` does.
 *
 * @returns the lines that it printed
 * @throws {Error} with its complaint if it ends by itself
 */
export async function runAndKill(killing: Killing): Promise<string[]> {
  const { afterMs, fromStart = false, until } = killing;
  const child = spawn(...commandOf(killing), { stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += String(chunk);
  });
  let isKilled = false;
  const gone = once(child, "exit").then(() => {
    if (!isKilled) throw new Error(`the process ended by itself:\n${complaint}`);
  });
  const printed = createInterface({ input: child.stdout });
  const read = once(printed, "close");
  const first = new Promise<void>((resolve) => printed.once("line", () => resolve()));
  const told = new Promise<void>((resolve) => {
    printed.on("line", (line) => {
      lines.push(line);
      if (line === until) resolve();
    });
  });
  if (!fromStart) await Promise.race([first, gone]);
  await Promise.race([delay(afterMs), told, gone]);
  isKilled = true;
  child.kill("SIGKILL");
  await gone;
  await read;
  return lines;
}

function commandOf({ program, args, fileLimit }: Killing): [command: string, args: string[]] {
  const command = ["--import", LOADER, program, ...args];
  if (fileLimit === undefined) return [process.execPath, command];
  return ["bash", ["-c", `ulimit -f ${fileLimit}; exec "$0" "$@"`, process.execPath, ...command]];
}
