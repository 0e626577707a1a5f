/**
 * Which block of the forked chain has which number, proven from the pinned block's hash: by the contract that keeps the
 * hashes of the last 8,191 blocks (EIP-2935), whose slots are proven by the state root, and by the parent hashes of headers.
 */
import { LRUCache } from "lru-cache";
import type { Header } from "../../chainspec/header/header.ts";
import { BLOCK_HASH_HISTORY_ADDRESS } from "../../chainspec/system-contracts.ts";
import { RemoteError } from "../../errors/hindcast-error.ts";
import { type Bytes, bigIntToFixedBytes, equalBytes, padBytesLeft } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import { decodeHeaderJson } from "../../remote/decode/block.ts";
import { data, requireObject } from "../../remote/decode/members.ts";
import { lie } from "../../remote/remote-errors.ts";
import type { RemoteChain } from "../../remote/upstream.ts";

/** Number of blocks whose hashes the contract of EIP-2935 keeps. */
const STORED_HASHES = 8_191n;
/** Most times that the state of an older block is asked for hashes of still older ones. */
const MOST_HOPS = 64;
/** Most headers that are read to follow parent hashes. */
const MOST_HEADERS = 8_192n;
const MAX_HASHES = 65_536;

/** A block of the forked chain. */
export interface NumberedHeader {
  readonly hash: Bytes;
  readonly header: Header;
}

/** One for each forked chain that is verified. Hashes are proven from the pinned block downwards, and remembered. */
export class ProvenHashes {
  readonly #remote: RemoteChain;
  /** Proven hashes by number. Counted as sizes: a cache with a `max` makes room for all entries at once, 7 ms for each fork. */
  readonly #hashes = new LRUCache<bigint, Bytes>({ maxSize: MAX_HASHES, sizeCalculation: () => 1 });

  constructor(remote: RemoteChain) {
    this.#remote = remote;
  }

  /**
   * The hash of the block with a number at or below the pinned one; undefined if it is too far below to prove it.
   *
   * @throws {RemoteError} `REMOTE_LIE` if a header is not the parent that the next one names
   */
  async of(number: bigint): Promise<Bytes | undefined> {
    const { pin } = this.#remote;
    if (number === pin.number) return pin.hash;
    const known = this.#hashes.get(number);
    if (known !== undefined) return known;
    let { number: from, hash } = this.#nearestAbove(number);
    for (let hop = 0; hop < MOST_HOPS; hop++) {
      const target = from - number > STORED_HASHES ? from - STORED_HASHES : number;
      const proven = await this.#fromState(from, hash, target);
      if (proven === undefined) break;
      this.#hashes.set(target, proven);
      if (target === number) return proven;
      [from, hash] = [target, proven];
    }
    if (from - number > MOST_HEADERS) return undefined;
    const [first] = await this.#walk(number, from - 1n, (await this.#header(hash)).parentHash);
    return first?.hash;
  }

  /**
   * The headers of a range of blocks, in ascending order. They follow on each other; that the last one has its number is
   * proven where {@link of} can.
   *
   * @throws {RemoteError} `REMOTE_LIE`
   */
  async headers(fromBlock: bigint, toBlock: bigint): Promise<readonly NumberedHeader[]> {
    const hash = (await this.of(toBlock)) ?? (await this.#readHeader(toBlock)).hash;
    return this.#walk(fromBlock, toBlock, hash);
  }

  #nearestAbove(number: bigint): { readonly number: bigint; readonly hash: Bytes } {
    const { pin } = this.#remote;
    let nearest: { number: bigint; hash: Bytes } = pin;
    for (const [known, hash] of this.#hashes.entries()) {
      if (known > number && known < nearest.number) nearest = { number: known, hash };
    }
    return nearest;
  }

  /** The hash of a block in the state after a later one; undefined if the chain does not keep it, or the node the state. */
  async #fromState(number: bigint, hash: Bytes, target: bigint): Promise<Bytes | undefined> {
    const { requestsHash, stateRoot } = await this.#header(hash);
    // The contract comes with Prague, as do the requests.
    if (requestsHash === undefined) return undefined;
    const slot = bigIntToFixedBytes(target % STORED_HASHES, 32);
    try {
      const state = this.#remote.stateAt({ number, hash, stateRoot });
      const stored = await state.getStorage(BLOCK_HASH_HISTORY_ADDRESS, slot);
      return stored.length === 0 ? undefined : padBytesLeft(stored, 32);
    } catch (error) {
      if (error instanceof RemoteError && error.code === "REMOTE_STATE_PRUNED") return undefined;
      throw error;
    }
  }

  async #header(hash: Bytes): Promise<Header> {
    const { pin } = this.#remote;
    const json = equalBytes(hash, pin.hash)
      ? pin.json
      : await this.#remote.history("eth_getBlockByHash", [encodeData(hash), false]);
    return decodeHeaderJson(requireObject(json, "block"));
  }

  async #readHeader(number: bigint): Promise<NumberedHeader> {
    const json = requireObject(
      await this.#remote.history("eth_getBlockByNumber", [encodeQuantity(number), false]),
      "block",
    );
    return { hash: data(json, "hash", 32), header: decodeHeaderJson(json) };
  }

  /** The headers of a range whose last block has this hash. Their own hashes were checked when they were read. */
  async #walk(fromBlock: bigint, toBlock: bigint, lastHash: Bytes): Promise<readonly NumberedHeader[]> {
    const count = Number(toBlock - fromBlock) + 1;
    const headers = await Promise.all(
      Array.from({ length: count }, (_, at) => this.#readHeader(fromBlock + BigInt(at))),
    );
    let expected = lastHash;
    for (const { hash, header } of [...headers].reverse()) {
      if (!equalBytes(hash, expected)) {
        const { label } = this.#remote.upstream;
        const named = `the block after it names ${encodeData(expected)} as its parent, and it gave ${encodeData(hash)}`;
        throw lie(label, `block ${header.number}`, named);
      }
      this.#hashes.set(header.number, hash);
      expected = header.parentHash;
    }
    return headers;
  }
}
