/** State and block override sets, as geth spells them; reth's names of block members are understood too. */
import { z } from "zod";
import type { Withdrawal } from "../../chainspec/block.ts";
import type { BlockOverrides } from "../../executor/block-overrides.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes.ts";
import type { AccountOverride, SlotOverride } from "../../state/overrides.ts";
import { address, data, hash, quantity, storageSlot, uint64 } from "./primitives.ts";

/** An object whose member names are DATA of one length. Names that differ only in letter case are one member: the last. */
export function byBytes<Schema extends z.ZodType>(key: typeof address, value: Schema, shape: string) {
  return z
    .record(z.string(), z.unknown(), { error: `expected ${shape}` })
    .transform((members, context): readonly { key: Bytes; value: z.output<Schema> }[] => {
      const found = new Map<string, { key: Bytes; value: z.output<Schema> }>();
      for (const [name, member] of Object.entries(members)) {
        const parsedKey = key.safeParse(name);
        const parsed = parsedKey.success ? value.safeParse(member) : parsedKey;
        for (const issue of parsed.error?.issues ?? []) {
          context.addIssue({ code: "custom", message: issue.message, path: [name, ...issue.path], input: member });
        }
        if (parsedKey.success && parsed.success) {
          found.set(bytesKey(parsedKey.data), { key: parsedKey.data, value: parsed.data as z.output<Schema> });
        }
      }
      return [...found.values()];
    });
}

const slots = byBytes(hash, hash, "an object of slots and values, 32 bytes each").transform((list) =>
  list.map(({ key, value }): SlotOverride => ({ slot: key, value })),
);

const accountOverride = z.object(
  {
    balance: quantity.nullish(),
    nonce: uint64.nullish(),
    code: data.nullish(),
    state: slots.nullish(),
    stateDiff: slots.nullish(),
    movePrecompileToAddress: address.nullish(),
  },
  { error: "expected an account override" },
);

/** Account overrides by address. */
export const stateOverrides = byBytes(address, accountOverride, "an object of account overrides by address").transform(
  (list) =>
    list.map(
      ({ key, value }): AccountOverride => ({
        address: key,
        balance: value.balance ?? undefined,
        nonce: value.nonce ?? undefined,
        code: value.code ?? undefined,
        state: value.state ?? undefined,
        stateDiff: value.stateDiff ?? undefined,
        movePrecompileTo: value.movePrecompileToAddress ?? undefined,
      }),
    ),
);

export const withdrawal = z
  .object({ index: uint64, validatorIndex: uint64, address, amount: uint64 }, { error: "expected a withdrawal" })
  .transform((members): Withdrawal => members);

const blockHashes = z
  .record(z.string(), hash, { error: "expected an object of block hashes by number" })
  .transform((members, context) => {
    const hashes = new Map<bigint, Bytes>();
    for (const [number, blockHash] of Object.entries(members)) {
      if (/^(?:0x[0-9a-f]+|[0-9]+)$/i.test(number)) hashes.set(BigInt(number), blockHash);
      else context.addIssue({ code: "custom", message: "expected a block number", path: [number], input: number });
    }
    return hashes as ReadonlyMap<bigint, Bytes>;
  });

const blockMembers = z.object(
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
    withdrawals: z.array(withdrawal, { error: "expected an array of withdrawals" }).nullish(),
    blockHash: blockHashes.nullish(),
  },
  { error: "expected block overrides" },
);

/** Block overrides. */
export const blockOverrides = blockMembers.transform(
  (block): BlockOverrides => ({
    number: block.number ?? undefined,
    timestamp: block.time ?? undefined,
    gasLimit: block.gasLimit ?? undefined,
    coinbase: block.feeRecipient ?? block.coinbase ?? undefined,
    prevRandao: block.prevRandao ?? block.random ?? undefined,
    difficulty: block.difficulty ?? undefined,
    baseFeePerGas: block.baseFeePerGas ?? block.baseFee ?? undefined,
    blobBaseFee: block.blobBaseFee ?? undefined,
    blockHashes: block.blockHash ?? undefined,
    parentBeaconBlockRoot: block.beaconRoot ?? undefined,
    withdrawals: block.withdrawals ?? undefined,
  }),
);
