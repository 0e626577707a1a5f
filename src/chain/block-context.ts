/** The context of a block's transactions: header members that opcodes read, and ancestor hashes for BLOCKHASH. */
import type { ChainSpec } from "../chainspec/chain-spec.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import { blobBaseFee } from "../chainspec/header/fees.ts";
import type { Header } from "../chainspec/header/header.ts";
import type { BlockContext } from "../evm/engine.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";

/** Lookups for finding an ancestor. */
export interface AncestorLookup {
  getHeader(hash: Bytes): Header | undefined;
  canonicalHash(number: bigint): MaybePromise<Bytes | undefined>;
  isCanonical(hash: Bytes, number: bigint): boolean;
}

/** Number of ancestors that BLOCKHASH can read. */
const BLOCK_HASH_WINDOW = 256n;

/** Header members that execution reads. A block under construction has them before its roots are known. */
export type ContextHeader = Pick<
  Header,
  | "parentHash"
  | "number"
  | "timestamp"
  | "coinbase"
  | "gasLimit"
  | "difficulty"
  | "mixHash"
  | "baseFeePerGas"
  | "excessBlobGas"
  | "slotNumber"
>;

/** The context of a block on a chain. */
export function blockContextOf(
  header: ContextHeader,
  rules: Rules,
  spec: ChainSpec,
  ancestors: AncestorLookup,
): BlockContext {
  return contextOfHeader(header, rules, spec, (number) =>
    ancestorHash(header.parentHash, header.number - 1n, number, ancestors),
  );
}

/**
 * The context of any block, canonical or not.
 *
 * @param blockHash - answers BLOCKHASH
 */
export function contextOfHeader(
  header: Omit<ContextHeader, "parentHash">,
  rules: Rules,
  spec: ChainSpec,
  blockHash: BlockContext["blockHash"],
): BlockContext {
  return {
    hardfork: rules.hardfork,
    number: header.number,
    l1BlockNumber: spec.l1BlockNumber(header),
    signers: spec.signersAt(header.number),
    timestamp: header.timestamp,
    coinbase: header.coinbase,
    gasLimit: header.gasLimit,
    difficulty: header.difficulty,
    prevRandao: header.mixHash,
    baseFeePerGas: header.baseFeePerGas,
    // Some chains have the rules of Cancun, but no blobs.
    blobBaseFee: rules.has(4844)
      ? blobBaseFee(header.excessBlobGas ?? 0n, spec.blobSchedule(rules.hardfork))
      : undefined,
    slotNumber: header.slotNumber,
    blockHash,
  };
}

/**
 * Hash of the ancestor with a number, for a block whose parent is given; undefined outside the last 256.
 *
 * Follows parent links to the canonical chain, then uses its index.
 */
export function ancestorHash(
  parentHash: Bytes,
  parentNumber: bigint,
  number: bigint,
  ancestors: AncestorLookup,
): MaybePromise<Bytes | undefined> {
  if (number < 0n || number > parentNumber || number + BLOCK_HASH_WINDOW <= parentNumber) return undefined;
  let hash = parentHash;
  for (let current = parentNumber; current > number; current--) {
    if (ancestors.isCanonical(hash, current)) return ancestors.canonicalHash(number);
    const header = ancestors.getHeader(hash);
    if (header === undefined) return undefined;
    hash = header.parentHash;
  }
  return hash;
}
