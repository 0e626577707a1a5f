/** Runs the built command line as a user would: a process of its own, its output, its exit code. */
import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { cliPath } from "../support/build-once.ts";
import { post } from "../support/post.ts";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Command {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  /** All of standard output so far. */
  stdout(): string;
}

export interface RunningNode extends Command {
  /** With a slash at the end. */
  readonly url: string;
  readonly port: number;
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  /** Ends it as Ctrl-C does. */
  interrupt(): Promise<Finished>;
}

/** Starts `hindcast` with these flags; what is left of it is killed when the test ends. */
export function aCommand(flags: readonly string[], env: Record<string, string> = {}): Command {
  const child = spawn(process.execPath, [cliPath, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await finished;
  });
  return { process: child, finished, stdout: () => stdout };
}

/**
 * Starts a node on a free port and waits until it listens.
 *
 * @throws {Error} with its own words if it ends instead
 */
export async function aRunningNode(
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<RunningNode> {
  const command = aCommand(["--port", "0", ...flags], env);
  const port = await new Promise<number>((resolve, reject) => {
    const look = (): void => {
      const match = /^Listening on \S+:(\d+)$/m.exec(command.stdout());
      if (match?.[1] !== undefined) resolve(Number(match[1]));
    };
    command.process.stdout?.on("data", look);
    void command.finished.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
  const url = `http://127.0.0.1:${port}/`;
  return {
    ...command,
    url,
    port,
    ask: (method, ...params) => ask(url, method, params),
    interrupt() {
      command.process.kill("SIGINT");
      return command.finished;
    },
  };
}

/** The result of one request over HTTP. @throws {Error} with the error of the answer */
export async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const { text } = await post(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  const answer = JSON.parse(text) as { result?: unknown; error?: { code: number; message: string } };
  if (answer.error !== undefined) throw new Error(`${answer.error.code} ${answer.error.message}`);
  return answer.result;
}
