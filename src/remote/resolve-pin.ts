/** Finds the block at which a fork begins, in as few round trips as its name allows. */
import { encodeQuantity, type Hex } from "../primitives/bytes/hex.ts";
import { pause } from "../primitives/platform/turns.ts";
import { problemOfHash } from "./proofs/block-hash.ts";
import { badAnswer, lie, unknownBlock } from "./remote-errors.ts";
import type { PinnedBlock, Upstream } from "./upstream.ts";
import { readFixedData, readList, readObject, readQuantity } from "./wire.ts";

type Json = Readonly<Record<string, unknown>>;

/** Names the block; the first given member counts. */
export interface PinName {
  readonly blockHash?: Hex | undefined;
  readonly transactionHash?: Hex | undefined;
  readonly blockNumber?: bigint | "latest" | undefined;
}

/** The block that was found, and the chain that has it. */
export interface ResolvedPin {
  readonly chainId: bigint;
  readonly pin: PinnedBlock;
}

/** Number of repetitions while a node may lag. */
const LAG_PAUSES = 12;
/** Least number of repetitions, even if they take longer than the time allowed. */
const LEAST_REPETITIONS = 3;

/** Finds the block at which a fork begins. It lives while the fork opens. */
export class PinResolver {
  readonly #upstream: Upstream;
  readonly #lagMs: number;
  readonly #verify: boolean;

  constructor(upstream: Upstream, lagMs: number, verify: boolean) {
    this.#upstream = upstream;
    this.#lagMs = lagMs;
    this.#verify = verify;
  }

  /**
   * The chain id and the block.
   *
   * @throws {RemoteError} `REMOTE_BLOCK_UNKNOWN`, `REMOTE_LIE` if `verify` finds another hash, and as
   * `Upstream.request`
   */
  async resolve(name: PinName): Promise<ResolvedPin> {
    const chainId = this.#upstream
      .request("eth_chainId", [])
      .then((answer) => this.#parse("eth_chainId", answer, readQuantity));
    const final = this.#finalNumber();
    const found = name.transactionHash === undefined ? this.#find(name) : this.#before(name.transactionHash);
    // The first failure is reported; the others may fail too.
    const [id, { block, nextBlock, transactions }, finalNumber] = await Promise.all([chainId, found, final]);
    return { chainId: id, pin: this.pinOf(block, { nextBlock, transactions, finalNumber }) };
  }

  /** The pinned block of a block's JSON. @throws {RemoteError} `REMOTE_BAD_ANSWER`, `REMOTE_LIE` */
  pinOf(json: Json, extra: Partial<Found> & { readonly finalNumber?: bigint | undefined } = {}): PinnedBlock {
    this.#check(json);
    return this.#parse("eth_getBlockByHash", json, (): PinnedBlock => {
      const number = readQuantity(json.number);
      return {
        number,
        hash: readFixedData(json.hash, 32),
        stateRoot: readFixedData(json.stateRoot, 32),
        timestamp: readQuantity(json.timestamp),
        json,
        isFinal: extra.finalNumber !== undefined && number <= extra.finalNumber,
        transactions: extra.transactions ?? [],
        nextBlock: extra.nextBlock,
      };
    });
  }

  async #find({ blockHash, blockNumber = "latest" }: PinName): Promise<Found> {
    if (blockHash !== undefined) return { block: await this.#block("eth_getBlockByHash", blockHash) };
    if (blockNumber === "latest") return { block: await this.#block("eth_getBlockByNumber", "latest") };
    if (blockNumber >= 0n) return { block: await this.#block("eth_getBlockByNumber", encodeQuantity(blockNumber)) };
    const head = this.#parse("eth_blockNumber", await this.#upstream.request("eth_blockNumber", []), readQuantity);
    const number = head + blockNumber;
    if (number < 0n) throw unknownBlock(this.#upstream.label, `${blockNumber}, counted back from ${head}`);
    return { block: await this.#block("eth_getBlockByNumber", encodeQuantity(number)) };
  }

  /** The parent of a transaction's block, and the transactions up to that one. */
  async #before(transactionHash: Hex): Promise<Found> {
    const transaction = await this.#untilKnown(`of transaction ${transactionHash}`, async () => {
      const answer = await this.#upstream.request("eth_getTransactionByHash", [transactionHash]);
      return answer === null || readObject(answer).blockHash === null ? null : readObject(answer);
    });
    const number = this.#parse("eth_getTransactionByHash", transaction.blockNumber, readQuantity);
    const [nextBlock, block] = await Promise.all([
      this.#block("eth_getBlockByHash", String(transaction.blockHash)),
      this.#block("eth_getBlockByNumber", encodeQuantity(number - 1n)),
    ]);
    this.#check(nextBlock);
    if (nextBlock.parentHash !== block.hash) throw unknownBlock(this.#upstream.label, String(nextBlock.parentHash));
    const transactions = readList(nextBlock.transactions).map(readObject);
    const index = transactions.findIndex(({ hash }) => String(hash).toLowerCase() === transactionHash.toLowerCase());
    if (index < 0) {
      const call = { method: "eth_getBlockByHash", params: [] };
      throw badAnswer(this.#upstream.label, call, `block ${number} does not hold transaction ${transactionHash}`);
    }
    return { block, nextBlock, transactions: transactions.slice(0, index + 1) };
  }

  #block(method: "eth_getBlockByHash" | "eth_getBlockByNumber", id: string): Promise<Json> {
    return this.#untilKnown(id, async () => {
      const block = await this.#upstream.request(method, [id, true]);
      if (block === null) return null;
      const json = readObject(block);
      if (method === "eth_getBlockByHash" && String(json.hash).toLowerCase() !== id.toLowerCase()) {
        throw lie(this.#upstream.label, `block ${id}`, `It gave block ${String(json.hash)} instead`);
      }
      return json;
    });
  }

  /** Repeats a request while it returns null, because a node behind a load balancer may lag. */
  async #untilKnown(block: string, ask: () => Promise<Json | null>): Promise<Json> {
    const askedAt = Date.now();
    const least = this.#lagMs === 0 ? 0 : LEAST_REPETITIONS;
    for (let repetitions = 0; ; repetitions++) {
      const answer = await ask();
      if (answer !== null) return answer;
      if (repetitions >= least && Date.now() - askedAt >= this.#lagMs) throw unknownBlock(this.#upstream.label, block);
      await pause(this.#lagMs / LAG_PAUSES);
    }
  }

  /** The number of the last final block, if the node supports `finalized`. */
  async #finalNumber(): Promise<bigint | undefined> {
    try {
      const block = await this.#upstream.request("eth_getBlockByNumber", ["finalized", false], { lagMs: 0 });
      return readQuantity(readObject(block).number);
    } catch {
      return undefined;
    }
  }

  #check(json: Json): void {
    const problem = this.#verify ? problemOfHash(json) : undefined;
    if (problem === undefined) return;
    const subject = `block ${String(json.number)} (${String(json.hash)})`;
    throw lie(
      this.#upstream.label,
      subject,
      `${problem}; or its chain has headers of another form, which \`verify\` cannot check`,
    );
  }

  #parse<T>(method: string, answer: unknown, parse: (answer: unknown) => T): T {
    try {
      return parse(answer);
    } catch (error) {
      throw badAnswer(this.#upstream.label, { method, params: [] }, (error as Error).message);
    }
  }
}

interface Found {
  readonly block: Json;
  readonly nextBlock?: Json | undefined;
  readonly transactions?: readonly Json[] | undefined;
}
