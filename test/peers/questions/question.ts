/** Questions whose answers are compared with those of the nodes that the dialects name. */
import { setTimeout as delay } from "node:timers/promises";
import type { Dialect } from "../../../src/node/options/dialect.ts";
import type { Answer, AskedNode } from "../dialect-cases.ts";

/** A question of a new chain. What it answers must not depend on the time or on hashes of blocks. */
export interface Question {
  /** Dialects whose nodes are asked; default: all. */
  readonly only?: readonly Dialect[];
  readonly asks: string;
  readonly ask: (node: AskedNode) => Promise<unknown>;
}

/** An account without funds. */
export const POOR = `0x${"ab".repeat(20)}`;
/** An address at which there is no account. */
export const TO = `0x${"c0".repeat(20)}`;
/** A hash of nothing. */
export const NO_HASH = `0x${"12".repeat(32)}`;
/** The first account that all nodes have. */
export const FIRST = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
/** The second one. */
export const SECOND = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

/** The number and the first line of an error. */
interface Refusal {
  readonly code: number | undefined;
  readonly text: string;
}

/** An answer without what depends on the time: its result, or its error. */
export function told({ result, error }: Answer): { readonly result: unknown } | { readonly refusal: Refusal } {
  if (error === undefined) return { result: isHash(result) ? "hash" : (result ?? null) };
  const [line = ""] = error.message.split("\n");
  const text = line
    .replace(/ at line 1 column \d+/, "")
    .replace(/0x[0-9a-f]{64}/gi, "<hash>")
    .replace(/\b1[6-9]\d{8}\b/g, "<time>");
  return { refusal: { code: error.code ?? undefined, text } };
}

const isHash = (value: unknown): boolean =>
  typeof value === "string" && /^0x[0-9a-f]{64}$/.test(value) && !/^0x0{20}/.test(value);

/** Whether a node answers that it lacks a method. */
export function lacksMethod(answer: unknown): boolean {
  return /"text":"(?:Method not found|The method \S+ does not exist|Method \S+ is not supported)/.test(
    JSON.stringify(answer) ?? "",
  );
}

/**
 * The part of an answer that our dialect follows: numbers and texts of Hardhat's errors, but for params that it cannot
 * read, whose texts are those of its parser; of the others whether they refuse.
 */
export function followed(answer: unknown, dialect: Dialect): unknown {
  if (Array.isArray(answer)) return answer.map((each) => followed(each, dialect));
  if (typeof answer !== "object" || answer === null || !("refusal" in answer)) return answer;
  const { code, text } = answer.refusal as Refusal;
  if (dialect !== "hardhat") return "refused";
  // Within its process Hardhat 2 gives no number with errors of executions.
  const number = code === undefined || code === 3 || code === -32603 ? "execution" : code;
  return number === -32602 ? "refused params" : [number, text];
}

/** An answer that a node may not have at once, as Anvil has its receipts and logs a little later; null if it never comes. */
export async function soon(ask: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 0; tries < 40; tries++) {
    const answer = await ask();
    if (answer !== null && answer !== undefined) return answer;
    await delay(25);
  }
  return null;
}

/** The question, asked of other nodes than Ganache, which never answers it: it waits for a missing nonce. */
export const notGanache = (question: Question): Question => ({ ...question, only: ["anvil", "hardhat"] });

/** One request. */
export function request(asks: string, method: string, ...params: unknown[]): Question {
  return { asks, ask: async ({ ask }) => told(await ask(method, ...params)) };
}

/** Requests, of which the answer to the last is compared. */
export function after(
  asks: string,
  ...requests: readonly (readonly [method: string, ...params: unknown[]])[]
): Question {
  return {
    asks,
    ask: async ({ ask }) => {
      let last: unknown;
      for (const [method, ...params] of requests) last = told(await ask(method, ...params));
      return last;
    },
  };
}
