/** Writes to the core what messages run in: block, transaction, and addresses of precompiles. */
import { hasEip } from "../../chainspec/hardforks/eips.ts";
import type { BlockContext, PrecompileTable, TransactionContext } from "../../evm/engine.ts";
import { type Bytes, keyBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { Records } from "./core-exports.generated.ts";
import type { CoreInstance } from "./core-instance.ts";
import type { Precompile } from "./precompiles/precompile.ts";
import { writeWants } from "./trace-reader.ts";

const { Environment } = Records;

/** Writes the block's values. */
export function writeBlock(instance: CoreInstance, chainId: bigint, block: BlockContext): void {
  const { environment } = instance;
  const write = (place: number, value: bigint): void => instance.writeWord(environment + place, value);
  write(Environment.chainId, chainId);
  instance.writeReversed(environment + Environment.coinbase, block.coinbase);
  write(Environment.timestamp, block.timestamp);
  write(Environment.number, block.l1BlockNumber ?? block.number);
  if (hasEip(block.hardfork, 4399))
    instance.writeReversed(instance.environment + Environment.difficulty, block.prevRandao);
  else write(Environment.difficulty, block.difficulty);
  write(Environment.gasLimit, block.gasLimit);
  write(Environment.baseFee, block.baseFeePerGas ?? 0n);
  write(Environment.blobBaseFee, block.blobBaseFee ?? 0n);
  write(Environment.slotNumber, block.slotNumber ?? 0n);
}

/** Begins a transaction in the core. */
export function writeTransaction(instance: CoreInstance, transaction: TransactionContext): void {
  const { origin, gasPrice, blobVersionedHashes, sink } = transaction;
  const { core } = instance;
  core.beginTransaction(sink === undefined ? 0 : writeWants(instance, sink));
  instance.writeReversed(instance.environment + Environment.origin, origin);
  instance.writeWord(instance.environment + Environment.gasPrice, gasPrice);
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
