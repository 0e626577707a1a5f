/** Writes to the core what messages run in: block, transaction, and addresses of precompiles. */
import { hasEip } from "../../chainspec/hardforks/eips.ts";
import type { BlockContext, PrecompileTable, TransactionContext } from "../../evm/engine.ts";
import { type Bytes, keyBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import * as Layout from "./core/machine/layout.ts";
import type { CoreInstance } from "./core-instance.ts";
import type { Precompile } from "./precompiles/precompile.ts";
import { writeWants } from "./trace-reader.ts";

/** Writes the block's values. */
export function writeBlock(instance: CoreInstance, chainId: bigint, block: BlockContext): void {
  const { environment } = instance;
  const write = (place: number, value: bigint): void => instance.writeWord(environment + place, value);
  write(Layout.ENVIRONMENT_CHAIN_ID, chainId);
  instance.writeReversed(environment + Layout.ENVIRONMENT_COINBASE, block.coinbase);
  write(Layout.ENVIRONMENT_TIMESTAMP, block.timestamp);
  write(Layout.ENVIRONMENT_NUMBER, block.l1BlockNumber ?? block.number);
  if (hasEip(block.hardfork, 4399))
    instance.writeReversed(instance.environment + Layout.ENVIRONMENT_DIFFICULTY, block.prevRandao);
  else write(Layout.ENVIRONMENT_DIFFICULTY, block.difficulty);
  write(Layout.ENVIRONMENT_GAS_LIMIT, block.gasLimit);
  write(Layout.ENVIRONMENT_BASE_FEE, block.baseFeePerGas ?? 0n);
  write(Layout.ENVIRONMENT_BLOB_BASE_FEE, block.blobBaseFee ?? 0n);
  write(Layout.ENVIRONMENT_SLOT_NUMBER, block.slotNumber ?? 0n);
}

/** Begins a transaction in the core. */
export function writeTransaction(instance: CoreInstance, transaction: TransactionContext): void {
  const { origin, gasPrice, blobVersionedHashes, sink } = transaction;
  const { core } = instance;
  core.beginTransaction(sink === undefined ? 0 : writeWants(instance, sink));
  instance.writeReversed(instance.environment + Layout.ENVIRONMENT_ORIGIN, origin);
  instance.writeWord(instance.environment + Layout.ENVIRONMENT_GAS_PRICE, gasPrice);
  const hashes = core.prepareBlobHashes(blobVersionedHashes.length) >>> 0;
  for (const [index, hash] of blobVersionedHashes.entries()) instance.bytes.set(hash, hashes + index * 32);
}

/**
 * Writes the addresses of precompiles, unless they are unchanged. All standard addresses are warm.
 *
 * @param table - default: each precompile at its standard address
 */
export function writePrecompiles(
  instance: CoreInstance,
  precompiles: ReadonlyMap<number, Precompile>,
  table: PrecompileTable | undefined,
): void {
  if (instance.precompileTable === (table ?? precompiles)) return;
  instance.precompileTable = table ?? precompiles;
  instance.state = undefined;
  instance.core.clearPrecompiles();
  for (const [address, standardAddress] of answering(precompiles, table)) {
    instance.writeWord(instance.mailbox, address);
    instance.core.addPrecompile(standardAddress, address <= 0xffffn && precompiles.has(Number(address)));
  }
}

/** For each special address, as a number: the standard address of its precompile, or 0. */
function answering(
  precompiles: ReadonlyMap<number, Precompile>,
  table: PrecompileTable | undefined,
): ReadonlyMap<bigint, number> {
  const standardAddresses = [...precompiles.keys()];
  if (table === undefined)
    return new Map(standardAddresses.map((standardAddress) => [BigInt(standardAddress), standardAddress]));
  const answers = new Map(standardAddresses.map((standardAddress) => [BigInt(standardAddress), 0]));
  for (const [key, standardAddress] of table)
    answers.set(addressNumber(keyBytes(key)), Number(addressNumber(standardAddress)));
  return answers;
}

function addressNumber(address: Bytes): bigint {
  return BigInt(encodeData(address));
}
