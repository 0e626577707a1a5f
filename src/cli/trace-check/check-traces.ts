/** Checks the `trace_*` methods of any node: which client it follows, and whether its methods agree with each other. */
import { encodeData, type Hex } from "../../primitives/bytes/hex.ts";
import { type CrossChecks, crossCheck } from "./cross-checks.ts";
import { type Answer, AnswerError, type Ask, type CheckedNode, type MinedTransaction } from "./node-answers.ts";
import { type Column, POINTS, type Point, wordsOf } from "./points.ts";
import { callingNew, program } from "./programs.ts";

/** A point, and the behaviour that a node showed on it. */
export interface SeenPoint {
  readonly point: Point;
  /** In words; undefined where it could not be seen. */
  readonly seen: string | undefined;
  /** The error that prevented it from being seen. */
  readonly problem?: string;
  /** The method that the node lacks, which prevented it from being seen. */
  readonly missing?: string;
}

/** All that was found of a node. */
export interface TraceCheck {
  readonly client: string;
  readonly head: number;
  readonly points: readonly SeenPoint[];
  readonly crossChecks: CrossChecks | string;
}

/** The extent of a check. */
export interface CheckOptions {
  /** Number of the newest blocks whose traces are compared with each other. */
  readonly blocks: number;
  /** Whether transactions are sent first, from an account of the node. */
  readonly write: boolean;
}

const SENDER = "0x0000000000000000000000000000000000000000";
const CREATION_GAS = "0xf4240";
const NOBODY = "0x00000000000000000000000000007261636863fe";

/**
 * Checks a node.
 *
 * @throws {RemoteError} `REMOTE_UNREACHABLE`
 * @throws {AnswerError} where it does not answer `eth_blockNumber`, or takes no transaction that should be written
 */
export async function checkTraces(ask: Ask, { blocks, write }: CheckOptions): Promise<TraceCheck> {
  const client = await ask("web3_clientVersion").catch(orElse("a node without a name"));
  const payer = await payerOf(ask);
  if (write) await writeStory(ask, payer);
  const head = Number(await ask("eth_blockNumber"));
  const create: CheckedNode["create"] = (data, types, gas = CREATION_GAS) =>
    ask("trace_call", { from: SENDER, data, gas, value: "0x0" }, types, "latest").catch((error: unknown) => {
      if (!write || payer === undefined || !(error instanceof AnswerError) || !error.isMissing) throw error;
      return replayed(ask, { from: payer, data, gas }, types);
    });
  const node: CheckedNode = { ask, create, head, payer, transaction: await transactionOf(ask, head, blocks) };
  const points: SeenPoint[] = [];
  for (const point of POINTS) points.push(await lookAt(point, node));
  const crossChecks = await crossCheck(ask, head, blocks).catch(problemOf);
  return { client, head, points, crossChecks };
}

/** Points that the node shows otherwise than a client, and those that it does not show. */
export function compare({ points }: TraceCheck, column: Column): { differing: SeenPoint[]; unseen: SeenPoint[] } {
  return {
    differing: points.filter(({ point, seen }) => seen !== undefined && seen !== wordsOf(point, column)),
    unseen: points.filter(({ seen }) => seen === undefined),
  };
}

async function lookAt(point: Point, node: CheckedNode): Promise<SeenPoint> {
  try {
    return { point, seen: await point.look?.(node) };
  } catch (error) {
    if (error instanceof AnswerError && error.isMissing) return { point, seen: undefined, missing: error.method };
    return { point, seen: undefined, problem: problemOf(error) };
  }
}

/** Errors that a node answers, and answers that lack what is read of them, are findings; all else is thrown. */
function problemOf(error: unknown): string {
  if (error instanceof AnswerError) return `${error.method}: ${error.code} ${error.message.split("\n")[0]}`;
  if (error instanceof TypeError) return `an answer of another shape (${error.message})`;
  throw error;
}

function orElse<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof AnswerError) return value;
    throw error;
  };
}

/** An account with ether: the node's first, or the recipient of the head's fees. */
async function payerOf(ask: Ask): Promise<Hex | undefined> {
  const [account] = await ask("eth_accounts").catch(orElse([]));
  const { miner } = await ask("eth_getBlockByNumber", "latest", false);
  for (const address of [account, miner]) {
    if (address !== undefined && BigInt(await ask("eth_getBalance", address, "latest")) > 10n ** 15n) return address;
  }
  return undefined;
}

/** The newest transaction with an inner call, otherwise the newest of the last blocks. */
async function transactionOf(ask: Ask, head: number, blocks: number): Promise<MinedTransaction | undefined> {
  let simple: MinedTransaction | undefined;
  for (let number = head; number > Math.max(0, head - blocks); number--) {
    const blockNumber: Hex = `0x${number.toString(16)}`;
    const { transactions } = await ask("eth_getBlockByNumber", blockNumber, true);
    for (const { hash, from } of transactions) {
      const traces: Answer[] = (await ask("trace_transaction", hash).catch(orElse([]))) ?? [];
      if (traces.length > 1) return { hash, from, blockNumber, traces };
      if (traces.length > 0) simple ??= { hash, from, blockNumber, traces };
    }
  }
  return simple;
}

/** Sends creations with inner calls and failures, and a transfer. */
async function writeStory(ask: Ask, from: Hex | undefined): Promise<void> {
  const story = [
    { data: callingNew(program(0, 0, "REVERT")) },
    { to: NOBODY, value: "0x1" },
    { data: encodeData(program("STOP")) },
    { data: encodeData(program(0, 0, "REVERT")) },
  ];
  for (const transaction of story) await sent(ask, { from, gas: CREATION_GAS, ...transaction });
}

/** Sends a transaction, which is mined when this resolves; gives its receipt. */
async function sent(ask: Ask, transaction: object): Promise<Answer> {
  const hash = await ask("eth_sendTransaction", transaction);
  const receipt = await ask("eth_getTransactionReceipt", hash);
  if (receipt !== null) return receipt;
  await ask("evm_mine");
  return ask("eth_getTransactionReceipt", hash);
}

/** The traces of a creation that is sent, since the node cannot simulate it. */
async function replayed(ask: Ask, transaction: object, types: readonly string[]): Promise<Answer> {
  const { blockNumber, transactionIndex } = await sent(ask, transaction);
  const replays = await ask("trace_replayBlockTransactions", blockNumber, types);
  return replays[Number(transactionIndex)];
}
