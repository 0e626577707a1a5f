/** Calls with a block as last parameter: by hash if the node supports that (EIP-1898), else by number. */
import { RemoteError } from "../../errors/hindcast-error.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import { ZERO_ADDRESS } from "../../primitives/hash/hash.ts";
import { badAnswer, unknownBlock } from "../remote-errors.ts";
import type { RemoteBlockId, RequestOptions, Upstream } from "../upstream.ts";
import { readFixedData, readObject } from "../wire.ts";

/** Capabilities of an upstream node, detected while reading; undefined while unknown. */
export interface UpstreamTraits {
  /** False if it does not accept `{ blockHash }` (EIP-1898). */
  takesHash: boolean;
  /** It serves eth_getStorageValues. */
  hasStorageValues: boolean | undefined;
  /** It serves eth_getProof. */
  hasProofs: boolean | undefined;
}

/** Methods that every node serves, so that an error concerns the block parameter. */
const SIMPLE_METHODS: ReadonlySet<string> = new Set([
  "eth_getBalance",
  "eth_getTransactionCount",
  "eth_getCode",
  "eth_getStorageAt",
]);
/** Attempts to get a readable answer. */
const ATTEMPTS = 3;

/** Makes the calls that have one block as their last parameter. One for each block that is read. */
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
   * The answer of a call at this block, parsed by `parse`.
   *
   * @param parse - throws a TypeError for an answer in another form; also gets the label of the node that answered
   * @throws {RemoteError} as `Upstream.request`
   */
  async read<T>(method: string, params: readonly unknown[], parse: (answer: unknown, label: string) => T): Promise<T> {
    let { label } = this.upstream;
    const onAnsweredBy = (by: string): void => {
      label = by;
    };
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(method, params, { onAnsweredBy });
      try {
        return parse(answer, label);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        if (attempt === ATTEMPTS) throw badAnswer(label, { method, params }, error.message);
      }
    }
  }

  async #ask(method: string, params: readonly unknown[], options: RequestOptions = {}): Promise<unknown> {
    try {
      if (this.traits.takesHash === false) return await this.#askByNumber(method, params, options);
      try {
        const block = { blockHash: encodeData(this.block.hash) };
        return await this.upstream.request(method, [...params, block], options);
      } catch (error) {
        if (!mayConcernForm(error)) throw error;
        return await this.#askInstead(error, method, params, options);
      }
    } catch (error) {
      throw this.#explain(error);
    }
  }

  async #askByNumber(method: string, params: readonly unknown[], options: RequestOptions): Promise<unknown> {
    const confirmed = this.#confirm();
    const asked = this.upstream.request(method, [...params, encodeQuantity(this.block.number)], options);
    const [answer] = await Promise.all([asked, confirmed]);
    return answer;
  }

  /** Asks by number after the node refused a hash, in case that it takes none. */
  async #askInstead(
    refusal: unknown,
    method: string,
    params: readonly unknown[],
    options: RequestOptions,
  ): Promise<unknown> {
    if (SIMPLE_METHODS.has(method)) {
      const answer = await this.#askByNumber(method, params, options);
      this.traits.takesHash = false;
      return answer;
    }
    // Another method may have been refused for another reason.
    await this.#ask("eth_getBalance", [encodeData(ZERO_ADDRESS)]).catch(() => undefined);
    if (this.traits.takesHash !== false) throw refusal;
    return this.#askByNumber(method, params, options);
  }

  /** Once per batch, if the node only accepts numbers: checks that the number still names the same block. */
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

  /** Adds the block and its age to an error about a deleted state or an unknown block. */
  #explain(error: unknown): unknown {
    if (!(error instanceof RemoteError)) return error;
    const { code } = error;
    if (code !== "REMOTE_STATE_PRUNED" && code !== "REMOTE_BLOCK_UNKNOWN") return error;
    const problem = code === "REMOTE_STATE_PRUNED" ? "have the state of" : "know";
    const { number, hash, timestamp } = this.block;
    const age = timestamp === undefined ? "" : `, ${ageOf(timestamp)} old`;
    return new RemoteError({
      code,
      what: `The upstream ${this.upstream.label} does not ${problem} block ${number} (${encodeData(hash)}${age}).`,
      ...(error.where === undefined ? {} : { where: error.where }),
      ...(error.fix === undefined ? {} : { fix: error.fix }),
      cause: error,
    });
  }
}

/** True if the node may have failed because of a parameter's form, which nodes say in words of their own. */
function mayConcernForm(error: unknown): boolean {
  return error instanceof RemoteError && (error.code === "REMOTE_REFUSED" || error.code === "REMOTE_BAD_ANSWER");
}

const UNITS = [
  ["days", 86_400],
  ["hours", 3600],
  ["minutes", 60],
] as const;

/** The time since a timestamp in seconds, as text. */
function ageOf(timestamp: bigint): string {
  const seconds = Math.max(0, Date.now() / 1000 - Number(timestamp));
  const [unit, length] = UNITS.find(([, least]) => seconds >= 2 * least) ?? (["seconds", 1] as const);
  return `${Math.floor(seconds / length)} ${unit}`;
}
