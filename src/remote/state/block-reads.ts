/** Calls that name a block in their last parameter: by hash where the upstream takes that (EIP-1898), else by number. */
import { RemoteError } from "../../errors/hindcast-error.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import { ZERO_ADDRESS } from "../../primitives/hash/hash.ts";
import { badAnswer, unknownBlock } from "../remote-errors.ts";
import type { RemoteBlockId, Upstream } from "../upstream.ts";
import { readFixedData, readObject } from "../wire.ts";

/** What is found out about an upstream while it is read; undefined while it is not known. */
export interface UpstreamTraits {
  /** It takes `{ blockHash }`. */
  takesHash: boolean | undefined;
  /** It serves eth_getStorageValues. */
  hasStorageValues: boolean | undefined;
  /** It serves eth_getProof. */
  hasProofs: boolean | undefined;
}

/** Methods that every node serves, whose other parameters are always right. */
const SIMPLE_METHODS: ReadonlySet<string> = new Set([
  "eth_getBalance",
  "eth_getTransactionCount",
  "eth_getCode",
  "eth_getStorageAt",
]);
/** How often an answer is asked for that cannot be read. */
const ATTEMPTS = 3;

export class BlockReads {
  readonly upstream: Upstream;
  readonly block: RemoteBlockId;
  readonly traits: UpstreamTraits;
  #confirmation: Promise<void> | undefined;

  constructor(upstream: Upstream, block: RemoteBlockId, traits: UpstreamTraits) {
    this.upstream = upstream;
    this.block = block;
    this.traits = traits;
  }

  /**
   * The answer of a call at this block, as `parse` reads it.
   *
   * @param parse - throws a TypeError for what is no such answer
   * @throws {RemoteError} as `Upstream.request`
   */
  async read<T>(method: string, params: readonly unknown[], parse: (answer: unknown) => T): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(method, params);
      try {
        return parse(answer);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        if (attempt === ATTEMPTS) throw badAnswer(this.upstream.label, { method, params }, error.message);
      }
    }
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const { hash, number } = this.block;
    const byHash = this.traits.takesHash !== false;
    try {
      if (byHash) {
        const answer = await this.upstream.request(method, [...params, { blockHash: encodeData(hash) }]);
        this.traits.takesHash = true;
        return answer;
      }
      const confirmed = this.#confirm();
      const [answer] = await Promise.all([
        this.upstream.request(method, [...params, encodeQuantity(number)]),
        confirmed,
      ]);
      return answer;
    } catch (error) {
      if (byHash && isRefusal(error) && !(await this.#findOut(method))) return this.#ask(method, params);
      throw this.#explain(error);
    }
  }

  /** Whether the upstream takes a hash, after it has refused a call that named one. */
  async #findOut(refusedMethod: string): Promise<boolean> {
    if (this.traits.takesHash !== undefined) return this.traits.takesHash;
    // Any other method may have been refused for something else.
    if (SIMPLE_METHODS.has(refusedMethod)) this.traits.takesHash = false;
    else await this.#ask("eth_getBalance", [encodeData(ZERO_ADDRESS)]).catch(() => undefined);
    return this.traits.takesHash ?? true;
  }

  /** Once a wave, where a number is all that the upstream takes: whether the number is still that block's. */
  #confirm(): Promise<void> {
    if (this.#confirmation === undefined) {
      this.#confirmation = this.#compareHash().finally(() => {
        this.#confirmation = undefined;
      });
    }
    return this.#confirmation;
  }

  async #compareHash(): Promise<void> {
    const { hash, number } = this.block;
    const block = await this.upstream.request("eth_getBlockByNumber", [encodeQuantity(number), false]);
    if (block !== null && equalBytes(readFixedData(readObject(block).hash, 32), hash)) return;
    throw unknownBlock(this.upstream.label, `${number} with hash ${encodeData(hash)}`);
  }

  /** Says of a state that is no longer there which one it is, and how old. */
  #explain(error: unknown): unknown {
    if (!(error instanceof RemoteError) || error.code !== "REMOTE_STATE_PRUNED") return error;
    const { number, hash, timestamp } = this.block;
    const age = timestamp === undefined ? "" : `, ${ageOf(timestamp)} old`;
    return new RemoteError({
      code: error.code,
      what: `The upstream ${this.upstream.label} does not have the state of block ${number} (${encodeData(hash)}${age}).`,
      ...(error.where === undefined ? {} : { where: error.where }),
      ...(error.fix === undefined ? {} : { fix: error.fix }),
      cause: error,
    });
  }
}

/** An upstream that does not know the form of a parameter refuses the call, in words of its own. */
function isRefusal(error: unknown): boolean {
  return error instanceof RemoteError && error.code === "REMOTE_REFUSED";
}

const UNITS = [
  ["days", 86_400],
  ["hours", 3600],
  ["minutes", 60],
] as const;

/** The time since a timestamp in seconds, in words. */
function ageOf(timestamp: bigint): string {
  const seconds = Math.max(0, Date.now() / 1000 - Number(timestamp));
  const [unit, length] = UNITS.find(([, least]) => seconds >= 2 * least) ?? (["seconds", 1] as const);
  return `${Math.floor(seconds / length)} ${unit}`;
}
