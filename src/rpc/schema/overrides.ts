/** State and block override sets, as geth spells them; reth's names of block members are understood too. */
import type { Withdrawal } from "../../chainspec/block.ts";
import type { BlockOverrides } from "../../executor/block-overrides.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes.ts";
import { decodeData, isData } from "../../primitives/hex.ts";
import { anything, listOf, Problem, type Schema } from "../../primitives/schema.ts";
import { entriesOf, object } from "../../primitives/schema-objects.ts";
import type { AccountOverride, SlotOverride } from "../../state/overrides.ts";
import { address, data, hash, quantity, storageSlot, uint64 } from "./primitives.ts";

/**
 * An object whose member names are DATA of one length. Names that differ only in letter case are one member: the last.
 *
 * @param bytes - length of a name
 */
function byBytes<Value>(
  bytes: number,
  values: Schema<Value>,
  shape: string,
): Schema<{ readonly key: Bytes; readonly value: Value }[], Record<string, unknown>> {
  return entriesOf(anything, `expected ${shape}`).to((entries) => {
    const found = new Map<string, { readonly key: Bytes; readonly value: Value }>();
    for (const [name, member] of entries) {
      if (!isData(name) || name.length !== 2 + 2 * bytes) return new Problem(`expected DATA of ${bytes} bytes`, [name]);
      const value = values.read(member);
      if (value instanceof Problem) return value.under(name);
      const key = decodeData(name);
      found.set(bytesKey(key), { key, value });
    }
    return [...found.values()];
  });
}

/** Members by address, each of one schema. */
export function byAddress<Value>(values: Schema<Value>, shape: string) {
  return byBytes(20, values, shape);
}

const slots = byBytes(32, hash, "an object of slots and values, 32 bytes each").to((list) =>
  list.map(({ key, value }): SlotOverride => ({ slot: key, value })),
);

const accountOverride = object(
  {
    balance: quantity.nullish(),
    nonce: uint64.nullish(),
    code: data.nullish(),
    state: slots.nullish(),
    stateDiff: slots.nullish(),
    movePrecompileToAddress: address.nullish(),
  },
  "expected an account override",
);

/** Account overrides by address. */
export const stateOverrides = byAddress(accountOverride, "an object of account overrides by address").to((list) =>
  list.map(
    ({ key, value }): AccountOverride => ({
      address: key,
      balance: value.balance,
      nonce: value.nonce,
      code: value.code,
      state: value.state,
      stateDiff: value.stateDiff,
      movePrecompileTo: value.movePrecompileToAddress,
    }),
  ),
);

export const withdrawal = object(
  { index: uint64, validatorIndex: uint64, address, amount: uint64 },
  "expected a withdrawal",
).to((members): Withdrawal => members);

const blockHashes = entriesOf(hash, "expected an object of block hashes by number").to((entries) => {
  const hashes = new Map<bigint, Bytes>();
  for (const [number, blockHash] of entries) {
    if (!/^(?:0x[0-9a-f]+|[0-9]+)$/i.test(number)) return new Problem("expected a block number", [number]);
    hashes.set(BigInt(number), blockHash);
  }
  return hashes as ReadonlyMap<bigint, Bytes>;
});

const blockMembers = object(
  {
    number: quantity.nullish(),
    difficulty: quantity.nullish(),
    time: uint64.nullish(),
    gasLimit: uint64.nullish(),
    feeRecipient: address.nullish(),
    coinbase: address.nullish(),
    prevRandao: storageSlot.nullish(),
    random: storageSlot.nullish(),
    baseFeePerGas: quantity.nullish(),
    baseFee: quantity.nullish(),
    blobBaseFee: quantity.nullish(),
    beaconRoot: hash.nullish(),
    withdrawals: listOf(withdrawal, "expected an array of withdrawals").nullish(),
    blockHash: blockHashes.nullish(),
  },
  "expected block overrides",
);

/** Block overrides. */
export const blockOverrides = blockMembers.to(
  (block): BlockOverrides => ({
    number: block.number,
    timestamp: block.time,
    gasLimit: block.gasLimit,
    coinbase: block.feeRecipient ?? block.coinbase,
    prevRandao: block.prevRandao ?? block.random,
    difficulty: block.difficulty,
    baseFeePerGas: block.baseFeePerGas ?? block.baseFee,
    blobBaseFee: block.blobBaseFee,
    blockHashes: block.blockHash,
    parentBeaconBlockRoot: block.beaconRoot,
    withdrawals: block.withdrawals,
  }),
);
