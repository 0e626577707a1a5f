// Cost against the items of a list: methods whose params, or answers, are lists as long as the caller likes, at 1,000, 10,000
// and 100,000 items, with the bounds raised. The cost of an item should stay the same, within 1.5 times.
//
// Each method has a process of its own, so that none pays for the garbage of another, and is ended after a time, so that
// all of them take less than ten minutes. Processor time of all threads, the lowest of the runs: the first collections of a
// list's garbage belong to it.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { summary } from "./measure.mjs";
import { LENGTHS, REQUESTS } from "./scaling-lists-requests.mjs";

export const name = "cost against items";

const WORKER = fileURLToPath(new URL("./scaling-lists-worker.mjs", import.meta.url));
/** The time of one method, with the start of its process. There are 21 methods. */
const LIMIT_MS = 25_000;

export async function rows() {
  const result = {};
  for (const label of Object.keys(REQUESTS)) {
    const times = await timesOf(label);
    const itemOf = (length) => (Math.min(...times.get(length)) * 1000) / length;
    for (const length of LENGTHS) {
      const row = `${label}: ${length.toLocaleString("en")}`;
      if (times.get(length).length === 0) {
        result[row] = { runs: 0, note: `not within the ${LIMIT_MS / 1000} s of a method` };
        continue;
      }
      const beside = length > 10_000 ? `, ${(itemOf(length) / itemOf(10_000)).toFixed(2)} times that of 10,000` : "";
      result[row] = { ...summary(times.get(length)), note: `${itemOf(length).toFixed(2)} µs an item${beside}` };
    }
  }
  return result;
}

/** Milliseconds of the runs by length; none for what the limit left out. */
async function timesOf(label) {
  const times = new Map(LENGTHS.map((length) => [length, []]));
  const child = fork(WORKER, [label]);
  child.on("message", ({ length, ms }) => times.get(length).push(ms));
  const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const [code, signal] = await once(child, "exit");
  clearTimeout(limit);
  if (code !== 0 && signal !== "SIGKILL") throw new Error(`${label}: its process ended with ${code ?? signal}`);
  return times;
}
