/** Starts `store-process.ts` as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const loader = new URL("./run-typescript.mjs", import.meta.url).href;
const program = fileURLToPath(new URL("./store-process.ts", import.meta.url));

export interface StoreProcess {
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly lines: readonly string[];
  /** Kills it as `kill -9` does and waits until it is gone. */
  kill(): Promise<void>;
}

/** Resolves when its store is open. */
export async function startStoreProcess(task: "hold" | "write", folder: string): Promise<StoreProcess> {
  const child = spawn(process.execPath, ["--import", loader, program, task, folder], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  let complaint = "";
  child.stderr?.on("data", (chunk) => {
    complaint += String(chunk);
  });
  const gone = once(child, "exit");
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      lines.push(line);
      resolve();
    });
    gone.then(() => reject(new Error(`the process ended before its store was open:\n${complaint}`)));
  });
  return {
    child,
    lines,
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
      // Output from before its end may still arrive.
      await new Promise(setImmediate);
    },
  };
}
