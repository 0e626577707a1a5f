/** State and block override sets in geth's form. Names of members that other clients have are accepted too. */
import { z } from "zod";
import type { Withdrawal } from "../../chainspec/header/block.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { decodeData, isData } from "../../primitives/bytes/hex.ts";
import { wordingOf } from "../../primitives/validation/schema-issue.ts";
import type { BlockOverrides } from "../../services/simulate/call/block-overrides.ts";
import type { AccountOverride, SlotOverride } from "../../state/working/overrides.ts";
import { namedMembers } from "./named-members.ts";
import { address, data, hash, quantity, storageSlot, uint64 } from "./primitives.ts";

/**
 * An object whose member names are DATA of one length. If names differ only in letter case, the last one counts.
 *
 * Not made with zod, because such objects can have tens of thousands of members.
 *
 * @param bytes - length of a name in bytes
 * @param read - parses a member's value, or returns its issues
 */
function byBytes<Value>(bytes: number, shape: string, read: (value: unknown) => Value | z.ZodError) {
  return z.record(z.string(), z.unknown(), { error: `expected ${shape}` }).transform((members, context) => {
    const found = new Map<string, { readonly key: Bytes; readonly value: Value }>();
    for (const [name, member] of Object.entries(members)) {
      if (!isDataOf(name, bytes)) {
        context.addIssue({
          code: "custom",
          message: `expected a member name of "0x" and ${2 * bytes} hex digits`,
          path: [name],
          input: member,
        });
        break;
      }
      const value = read(member);
      if (value instanceof z.ZodError) {
        const issue = value.issues[0] as z.core.$ZodIssue;
        context.issues.push({ ...issue, path: [name, ...issue.path], input: member } as z.core.$ZodRawIssue);
        break;
      }
      const key = decodeData(name);
      found.set(bytesKey(key), { key, value });
    }
    return [...found.values()];
  });
}

function isDataOf(text: unknown, bytes: number): text is string {
  return typeof text === "string" && text.length === 2 + 2 * bytes && isData(text);
}

/** An object of members by address, all with one schema. */
export function byAddress<Schema extends z.ZodType>(schema: Schema, shape: string) {
  return byBytes(20, shape, (value): z.output<Schema> | z.ZodError => {
    const parsed = schema.safeParse(value, { error: wordingOf });
    return parsed.success ? parsed.data : parsed.error;
  });
}

const readWord = (value: unknown): Bytes | z.ZodError =>
  isDataOf(value, 32) ? decodeData(value) : (hash.safeParse(value).error ?? hash.parse(value));

/** Values by slot. */
export const slots = byBytes(32, "an object of slots and values, 32 bytes each", readWord).transform((list) =>
  list.map(({ key, value }): SlotOverride => ({ slot: key, value })),
);

const accountOverride = namedMembers(
  z.object(
    {
      balance: quantity.nullish(),
      nonce: uint64.nullish(),
      code: data.nullish(),
      state: slots.nullish(),
      stateDiff: slots.nullish(),
      movePrecompileToAddress: address.nullish(),
    },
    { error: "expected an account override" },
  ),
  { refusesOthers: true },
);

/** Account overrides by address. */
export const stateOverrides = byAddress(accountOverride, "an object of account overrides by address").transform(
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

/** A withdrawal (EIP-4895). The amount is in Gwei. */
export const withdrawal = z
  .object({ index: uint64, validatorIndex: uint64, address, amount: uint64 }, { error: "expected a withdrawal" })
  .transform((members): Withdrawal => members);

const blockHashes = z
  .record(z.string(), hash, { error: "expected an object of block hashes by number" })
  .transform((members, context) => {
    const hashes = new Map<bigint, Bytes>();
    for (const [number, blockHash] of Object.entries(members)) {
      if (/^(?:0x[0-9a-f]{1,64}|[0-9]{1,78})$/i.test(number)) hashes.set(BigInt(number), blockHash);
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
    prevRandao: storageSlot.nullish(),
    baseFeePerGas: quantity.nullish(),
    blobBaseFee: quantity.nullish(),
    slotNumber: uint64.nullish(),
    beaconRoot: hash.nullish(),
    withdrawals: z.array(withdrawal, { error: "expected an array of withdrawals" }).nullish(),
    blockHash: blockHashes.nullish(),
  },
  { error: "expected block overrides" },
);

/** Erigon's and reth's names of some members. */
const ALIASES = {
  blockNumber: "number",
  timestamp: "time",
  coinbase: "feeRecipient",
  random: "prevRandao",
  baseFee: "baseFeePerGas",
} as const satisfies Readonly<Record<string, keyof typeof blockMembers.shape>>;

/** Block overrides. */
export const blockOverrides = namedMembers(blockMembers, { aliases: ALIASES, refusesOthers: true }).transform(
  (block): BlockOverrides => ({
    number: block.number ?? undefined,
    timestamp: block.time ?? undefined,
    gasLimit: block.gasLimit ?? undefined,
    coinbase: block.feeRecipient ?? undefined,
    prevRandao: block.prevRandao ?? undefined,
    difficulty: block.difficulty ?? undefined,
    baseFeePerGas: block.baseFeePerGas ?? undefined,
    blobBaseFee: block.blobBaseFee ?? undefined,
    slotNumber: block.slotNumber ?? undefined,
    blockHashes: block.blockHash ?? undefined,
    parentBeaconBlockRoot: block.beaconRoot ?? undefined,
    withdrawals: block.withdrawals ?? undefined,
  }),
);
