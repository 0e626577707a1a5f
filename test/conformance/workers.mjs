// Spreads tasks over worker processes. A worker is a script that answers each task with one message.
import { fork } from "node:child_process";

/**
 * Gives each of `jobs` workers a task as soon as it is done with its last one, until there are no more.
 *
 * @param {{ script: string, args: string[], jobs: number, tasks: Iterable<{label: string, message: unknown}>,
 *   onResult: (result: unknown) => void }} options `label` names the task where its worker breaks down
 * @throws {Error} when a worker ends by itself, or when `tasks` throws; the other workers are ended then, too
 */
export async function spreadTasks({ script, args, jobs, tasks, onResult }) {
  const queue = tasks[Symbol.iterator]();
  const children = Array.from({ length: jobs }, () => fork(script, args));
  const work = (child) =>
    new Promise((resolve, reject) => {
      let label;
      const feed = () => {
        const { done, value } = queue.next();
        label = value?.label;
        if (done) child.kill();
        else child.send(value.message);
      };
      const orReject = (step) => {
        try {
          step();
        } catch (error) {
          reject(error);
        }
      };
      child.on("message", (result) =>
        orReject(() => {
          onResult(result);
          feed();
        }),
      );
      child.on("error", reject);
      child.on("exit", (code, signal) => {
        if (label === undefined) resolve();
        else reject(new Error(`a worker ended with ${signal ?? code} in ${label}`));
      });
      orReject(feed);
    });
  try {
    await Promise.all(children.map(work));
  } finally {
    for (const child of children) child.kill();
  }
}

/** In a worker: answers each task with what `run` makes of it, in their order. */
export function answerTasks(run) {
  let last = Promise.resolve();
  process.on("message", (message) => {
    last = last.then(async () => process.send(await run(message)));
  });
}
