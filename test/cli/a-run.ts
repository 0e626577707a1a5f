/** Runs the command in this process: its arguments, environment and folder in, its output and exit code out. */
import { onTestFinished } from "vitest";
import { runCommand } from "../../src/cli/command.ts";
import { ask, type Finished } from "../e2e/a-command.ts";

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Working folder; default: one without a configuration file. */
  readonly cwd?: string;
}

export interface Run {
  readonly finished: Promise<Finished>;
  /** All of standard output so far. */
  stdout(): string;
  stderr(): string;
  stop(): Promise<Finished>;
}

export interface NodeRun extends Run {
  /** With a slash at the end. */
  readonly url: string;
  readonly port: number;
  ask(method: string, ...params: unknown[]): Promise<unknown>;
}

/** Starts the command; it is stopped when the test ends. */
export function aRun(flags: readonly string[], { env = {}, cwd = "/" }: RunOptions = {}): Run {
  const controller = new AbortController();
  const output = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof output) => ({
    write: (text: string) => {
      output[name] += text;
    },
  });
  const finished = runCommand(flags, {
    env,
    cwd,
    stop: controller.signal,
    stdout: stream("stdout"),
    stderr: stream("stderr"),
  }).then((code) => ({ code, ...output }));
  const stop = (): Promise<Finished> => {
    controller.abort();
    return finished;
  };
  onTestFinished(async () => {
    await stop();
  });
  return { finished, stop, stdout: () => output.stdout, stderr: () => output.stderr };
}

/**
 * Starts a node on a free port and waits until it listens.
 *
 * @throws {Error} with its own words if it ends instead
 */
export async function aNodeRun(flags: readonly string[] = [], options: RunOptions = {}): Promise<NodeRun> {
  const run = aRun(["--port", "0", ...flags], options);
  let hasEnded = false;
  void run.finished.then(() => {
    hasEnded = true;
  });
  for (;;) {
    const port = /^Listening on \S+:(\d+)$|"port":(\d+)/m.exec(run.stdout());
    if (port !== null) {
      const number = Number(port[1] ?? port[2]);
      const url = `http://127.0.0.1:${number}/`;
      return { ...run, url, port: number, ask: (method, ...params) => ask(url, method, params) };
    }
    if (hasEnded) throw new Error(`ended: ${run.stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
