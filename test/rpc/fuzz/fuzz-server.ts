/** The parent's side of fuzz-server.mjs. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface FuzzServer {
  /** With a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  /** Of its socket file; undefined on systems without. */
  readonly ipcPath: string | undefined;
  /** Rejects when the process ends before {@link stop} is called. */
  readonly crashed: Promise<never>;
  /** Back to the blocks of a state file. */
  restart(state: string): Promise<void>;
  /** Bytes of the heap in use after garbage collection. */
  heap(): Promise<number>;
  /** Resident memory after garbage collection, in bytes. */
  resident(): Promise<number>;
  stop(): Promise<void>;
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Starts a node in a process of its own. */
export async function startFuzzServer(): Promise<FuzzServer> {
  const path = fileURLToPath(new URL("./fuzz-server.mjs", import.meta.url));
  const child = fork(path, { execArgv: ["--expose-gc"], stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-4_000);
  });
  let isStopped = false;
  const ended = once(child, "exit");
  const crashed = ended.then(([code, signal]): never => {
    throw new Error(isStopped ? "stopped" : `The server's process ended (${code ?? signal}): ${complaint}`);
  });
  crashed.catch(() => undefined);
  const [{ port, ipcPath }] = (await Promise.race([once(child, "message"), crashed])) as [
    { port: number; ipcPath?: string },
  ];
  let nextId = 1;
  const command = async (name: string, argument?: unknown): Promise<unknown> => {
    const id = nextId++;
    const answered = new Promise<unknown>((resolve, reject) => {
      const listener = (reply: Reply): void => {
        if (reply.id !== id) return;
        child.off("message", listener);
        if (reply.error === undefined) resolve(reply.result);
        else reject(new Error(`${name}: ${reply.error}`));
      };
      child.on("message", listener);
    });
    child.send({ id, command: name, argument });
    return Promise.race([answered, crashed]);
  };
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    pid: child.pid,
    ipcPath,
    crashed,
    restart: async (state) => {
      await command("restart", state);
    },
    heap: async () => (await command("heap")) as number,
    resident: async () => (await command("resident")) as number,
    stop: async () => {
      isStopped = true;
      child.kill("SIGKILL");
      await ended;
    },
  };
}
