/** Finds the block at which a fork begins, in as few round trips as its name allows. */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../primitives/bytes/hex.ts";
import { keccak256, ZERO_ADDRESS } from "../primitives/hash/hash.ts";
import { pause } from "../primitives/platform/turns.ts";
import { problemOfHash } from "./block-hash.ts";
import { LAG_PAUSES } from "./client/lagging-calls.ts";
import { provenRoot } from "./merkle-proof.ts";
import { badAnswer, lie, unknownBlock } from "./remote-errors.ts";
import type { PinnedBlock, Upstream } from "./upstream.ts";
import { readData, readFixedData, readList, readObject, readQuantity } from "./wire.ts";

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
  /** False if the node shows that the state after the block is not the one of its header, but an edited one. */
  readonly isCommitted: boolean;
}

/** How a fork's block is read. */
export interface PinResolverOptions {
  /** Milliseconds that a lagging node gets to learn of a block. */
  readonly lagMs: number;
  readonly verify: boolean;
  /** Asks whether the state after the block is the one of its header, because development nodes can edit it. */
  readonly comparesState: boolean;
}

/** Finds the block at which a fork begins, and confirms one that is known. One for each fork. */
export class PinResolver {
  readonly #upstream: Upstream;
  readonly #options: PinResolverOptions;

  constructor(upstream: Upstream, options: PinResolverOptions) {
    this.#upstream = upstream;
    this.#options = options;
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
    const [id, { block, isCommitted, ...following }, finalNumber] = await Promise.all([chainId, found, final]);
    return { chainId: id, pin: this.pinOf(block, { ...following, finalNumber }), isCommitted };
  }

  /**
   * The reason why the node does not have a block that is known from the cache; undefined if it has it.
   *
   * @param isByNumber - also requires that the block still has its number, and the state of its header
   * @throws {RemoteError} as {@link resolve}
   */
  async problemOf({ chainId, pin }: ResolvedPin, isByNumber: boolean): Promise<string | undefined> {
    const { number, hash } = pin;
    const hashHex = encodeData(hash);
    const [id, { block, isCommitted }] = await Promise.all([
      this.#upstream.request("eth_chainId", []),
      isByNumber
        ? this.#compared("eth_getBlockByNumber", encodeQuantity(number), false)
        : this.#block("eth_getBlockByHash", hashHex, false).then((json): Found => ({ block: json, isCommitted: true })),
    ]);
    const otherId = this.#parse("eth_chainId", id, readQuantity);
    if (otherId !== chainId) return `its id is ${otherId} instead of ${chainId}`;
    const other = String(block.hash).toLowerCase();
    if (other !== hashHex) return `its block ${number} has hash ${other} instead of ${hashHex}`;
    return isCommitted ? undefined : `its state at block ${number} was edited`;
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
    if (blockHash !== undefined) return this.#compared("eth_getBlockByHash", blockHash);
    if (blockNumber === "latest") return this.#compared("eth_getBlockByNumber", "latest");
    if (blockNumber >= 0n) return this.#compared("eth_getBlockByNumber", encodeQuantity(blockNumber));
    const head = this.#parse("eth_blockNumber", await this.#upstream.request("eth_blockNumber", []), readQuantity);
    const number = head + blockNumber;
    if (number < 0n) throw unknownBlock(this.#upstream.label, `${blockNumber}, counted back from ${head}`);
    return this.#compared("eth_getBlockByNumber", encodeQuantity(number));
  }

  /** A block, and whether the state after it is the one of its header, asked for together. */
  async #compared(method: BlockMethod, id: string, isWhole = true): Promise<Found> {
    const root = this.#stateRoot(method === "eth_getBlockByHash" ? { blockHash: id.toLowerCase() } : id);
    const block = await this.#block(method, id, isWhole);
    const isSame = (shown: string | undefined): boolean => shown === undefined || shown === block.stateRoot;
    if (isSame(await root)) return { block, isCommitted: true };
    // The newest block may be another one by now.
    if (id !== "latest") return { block, isCommitted: false };
    return { block, isCommitted: isSame(await this.#stateRoot({ blockHash: String(block.hash) })) };
  }

  /** False if the node shows that the state after a block is another one than that of this root. */
  async isCommitted(hash: Bytes, stateRoot: Bytes): Promise<boolean> {
    const shown = await this.#stateRoot({ blockHash: encodeData(hash) });
    return shown === undefined || shown === encodeData(stateRoot);
  }

  /** The root of the state that the node has at a block, by a proof; undefined if it gives none. */
  async #stateRoot(block: string | { readonly blockHash: string }): Promise<string | undefined> {
    if (!this.#options.comparesState) return undefined;
    try {
      const proof = await this.#upstream.request("eth_getProof", [encodeData(ZERO_ADDRESS), [], block], { lagMs: 0 });
      return encodeData(provenRoot(keccak256(ZERO_ADDRESS), readList(readObject(proof).accountProof).map(readData)));
    } catch {
      return undefined;
    }
  }

  /** The parent of a transaction's block, and the transactions up to that one. */
  async #before(transactionHash: Hex): Promise<Found> {
    const transaction = await this.#untilKnown(`of transaction ${transactionHash}`, async () => {
      const answer = await this.#upstream.request("eth_getTransactionByHash", [transactionHash]);
      return answer === null || readObject(answer).blockHash === null ? null : readObject(answer);
    });
    const number = this.#parse("eth_getTransactionByHash", transaction.blockNumber, readQuantity);
    const [nextBlock, { block, isCommitted }] = await Promise.all([
      this.#block("eth_getBlockByHash", String(transaction.blockHash)),
      this.#compared("eth_getBlockByNumber", encodeQuantity(number - 1n)),
    ]);
    this.#check(nextBlock);
    if (nextBlock.parentHash !== block.hash) throw unknownBlock(this.#upstream.label, String(nextBlock.parentHash));
    const transactions = readList(nextBlock.transactions).map(readObject);
    const index = transactions.findIndex(({ hash }) => String(hash).toLowerCase() === transactionHash.toLowerCase());
    if (index < 0) {
      const call = { method: "eth_getBlockByHash", params: [] };
      throw badAnswer(this.#upstream.label, call, `block ${number} does not hold transaction ${transactionHash}`);
    }
    return { block, isCommitted, nextBlock, transactions: transactions.slice(0, index + 1) };
  }

  #block(method: BlockMethod, id: string, isWhole = true): Promise<Json> {
    return this.#untilKnown(id, async () => {
      const block = await this.#upstream.request(method, [id, isWhole]);
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
    const { lagMs } = this.#options;
    let answer = await ask();
    for (const part of lagMs === 0 ? [] : LAG_PAUSES) {
      if (answer !== null) break;
      await pause(lagMs * part);
      answer = await ask();
    }
    if (answer !== null) return answer;
    throw unknownBlock(this.#upstream.label, block);
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
    const problem = this.#options.verify ? problemOfHash(json) : undefined;
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

type BlockMethod = "eth_getBlockByHash" | "eth_getBlockByNumber";

interface Found {
  readonly block: Json;
  readonly isCommitted: boolean;
  readonly nextBlock?: Json | undefined;
  readonly transactions?: readonly Json[] | undefined;
}
