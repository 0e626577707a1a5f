/** Measures how long other requests wait while a node works. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { assemble } from "../support/assembler.ts";
import { LOOP } from "../support/contracts.ts";

/** One answer to eth_blockNumber, and one of a server that does nothing else, asked right after it. */
interface Answer {
  /** When it was asked for, in milliseconds since the epoch. */
  readonly at: number;
  /** Time that passed, or time that the node had the processor, whichever is less. */
  readonly elapsedMs: number;
  readonly controlMs: number;
  readonly text: string;
}

/**
 * Asks eth_blockNumber from another thread while `work` runs.
 *
 * On a machine that does other things at the same time answers wait for those, too, and that is not the node's doing: time
 * in which it did not run does not count, and neither does what an idle server beside it takes.
 *
 * @param pid - of the node, where it is a process of its own: time that its main thread had the processor counts
 */
export async function answersDuring(
  url: string,
  work: () => Promise<unknown>,
  pid?: number,
): Promise<readonly Answer[]> {
  const workerData = { url, pauseMs: 20, pid };
  const worker = new Worker(new URL("./stopwatch-worker.mjs", import.meta.url), { workerData });
  await once(worker, "message");
  await work();
  worker.postMessage("stop");
  const [answers] = (await once(worker, "message")) as [Answer[]];
  await worker.terminate();
  return answers;
}

/**
 * How many milliseconds longer the node's slowest answer took than the idle server's.
 *
 * @throws {Error} when there were too few to say
 */
export function longestWait(answers: readonly Answer[]): number {
  if (answers.length < 2) throw new Error(`only ${answers.length} answers were measured`);
  const most = (times: readonly number[]): number => Math.max(...times);
  return most(answers.map(({ elapsedMs }) => elapsedMs)) - most(answers.map(({ controlMs }) => controlMs));
}

/** Runs for ever: each opcode, or precompile, that could keep the processor to itself. */
export const LOOPS: Readonly<Record<string, Uint8Array>> = {
  "jumps only": LOOP,
  "adds and multiplies": assemble("1 loop: 3 MUL 7 ADD @loop JUMP"),
  "raises to powers": assemble(`loop: 0x${"ff".repeat(32)} 3 EXP POP @loop JUMP`),
  "hashes 100 kB": assemble("loop: 100000 0 KECCAK256 POP @loop JUMP"),
  "copies memory": assemble("loop: 100000 0 1 MCOPY @loop JUMP"),
  "reads fresh slots": assemble("1 loop: 1 ADD DUP1 SLOAD POP @loop JUMP"),
  "writes slots": assemble("1 loop: 1 ADD DUP1 DUP1 SSTORE @loop JUMP"),
  logs: assemble("loop: 1000 0 LOG0 @loop JUMP"),
  "calls a precompile": assemble("loop: 0 0 10000 0 2 GAS STATICCALL POP @loop JUMP"),
  "recovers signers": assemble("27 32 MSTORE 1 64 MSTORE 1 96 MSTORE loop: 32 0 128 0 1 GAS STATICCALL POP @loop JUMP"),
  "calls itself": assemble("loop: 0 0 0 0 0 ADDRESS GAS CALL POP @loop JUMP"),
  "creates contracts": assemble("loop: 0 0 0 CREATE POP @loop JUMP"),
};
