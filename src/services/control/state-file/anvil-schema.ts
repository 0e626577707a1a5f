/** Schemas of the parts of Anvil's state files that are read (observed: Anvil 1.7.1). */
import { z } from "zod";
import { SET_CODE_TYPE } from "../../../chainspec/transaction/transaction-fields.ts";
import { decodeData } from "../../../primitives/bytes/hex.ts";
import { MAX_UINT64 } from "../../../primitives/bytes/limits.ts";

const DATA = "expected DATA";
/** DATA of any length, decoded to bytes. */
export const data = z
  .string(DATA)
  .regex(/^0x([0-9a-fA-F]{2})*$/, DATA)
  .transform((text) => decodeData(text));
/** DATA of 20 bytes. */
export const address = sizedData(20);
const hash = sizedData(32);
const INTEGER = "expected a whole number from 0";
/** An integer below 2^256. The number of digits is limited, because conversion takes quadratic time. */
export const integer = z
  .union(
    [z.int(INTEGER).nonnegative(INTEGER), z.string().regex(/^(?:0x[0-9a-fA-F]{1,64}|\d{1,78})$/, INTEGER)],
    INTEGER,
  )
  .transform(BigInt);
const uint64 = integer.refine((value) => value <= MAX_UINT64, "expected a whole number below 2^64");
const WORD = "expected DATA or a QUANTITY of 32 bytes";
/** 32 bytes, written as DATA or as a QUANTITY. */
export const word = z
  .string(WORD)
  .regex(/^0x[0-9a-fA-F]{0,64}$/, WORD)
  .transform((text) => decodeData(`0x${text.slice(2).padStart(64, "0")}`));

/** An account of the state, with its storage by slot. */
export const account = z.object({
  nonce: uint64,
  balance: integer,
  code: data,
  /** {@link word} by {@link word}. There may be a million, so they are parsed one by one. Packed if they are many. */
  storage: z.custom<object>(isObject, "expected an object"),
});

/** A header in JSON-RPC's names. Members of later hardforks are null or absent in earlier ones. */
export const header = z.object({
  parentHash: hash,
  sha3Uncles: hash,
  miner: address,
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: sizedData(256),
  difficulty: integer,
  number: uint64,
  gasLimit: uint64,
  gasUsed: uint64,
  timestamp: uint64,
  extraData: data,
  mixHash: hash,
  nonce: sizedData(8),
  baseFeePerGas: integer.nullish(),
  withdrawalsRoot: hash.nullish(),
  blobGasUsed: uint64.nullish(),
  excessBlobGas: uint64.nullish(),
  parentBeaconBlockRoot: hash.nullish(),
  requestsHash: hash.nullish(),
  blockAccessListHash: hash.nullish(),
  slotNumber: uint64.nullish(),
});

const transactionType = integer.refine((type) => type <= BigInt(SET_CODE_TYPE), "expected a type from 0 to 4");

/** A transaction of any type that Anvil writes; its type decides which members must be there. */
export const transaction = z.object({
  type: transactionType.nullish(),
  chainId: integer.nullish(),
  nonce: integer,
  gas: integer,
  gasPrice: integer.nullish(),
  maxFeePerGas: integer.nullish(),
  maxPriorityFeePerGas: integer.nullish(),
  maxFeePerBlobGas: integer.nullish(),
  blobVersionedHashes: z.array(data).nullish(),
  to: data.nullish(),
  value: integer,
  input: data,
  accessList: z.array(z.object({ address: data, storageKeys: z.array(data) })).nullish(),
  authorizationList: z
    .array(z.object({ chainId: integer, address: data, nonce: integer, yParity: integer, r: integer, s: integer }))
    .nullish(),
  v: integer.nullish(),
  yParity: integer.nullish(),
  r: integer,
  s: integer,
});

const receipt = z.object({
  type: transactionType.nullish(),
  status: integer,
  cumulativeGasUsed: uint64,
  logs: z.array(z.object({ address, topics: z.array(hash).max(4), data })),
});

/** An item of a block's `transactions`. */
export const blockTransaction = z.object({ transaction, impersonated_sender: address.nullish() });

/** An item of `blocks`. */
export const blockRow = z.object({
  header,
  /** {@link blockTransaction}s. There may be thousands, so they are parsed one by one. */
  transactions: z.custom<readonly unknown[]>(Array.isArray, "expected a list"),
  ommers: z.array(z.unknown()).max(0, "uncles are not expected"),
});

/** An item of `transactions`. */
export const receiptRow = z.object({
  info: z.object({ transaction_index: z.int(), contract_address: address.nullish() }),
  receipt,
  block_hash: data,
});

/** The whole file; its parts are parsed one by one. */
export const file = z.object({
  best_block_number: integer.nullish(),
  accounts: z.custom<Readonly<Record<string, unknown>>>(isObject, "expected an object"),
  blocks: z.custom<readonly unknown[]>(Array.isArray, "expected a list").nullish(),
  transactions: z.custom<readonly unknown[]>(Array.isArray, "expected a list").nullish(),
});

/** Members of the file that are read; Anvil also writes others. */
export const FILE_MEMBERS: ReadonlySet<string> = new Set(Object.keys(file.shape));

function sizedData(bytes: number) {
  const expected = `expected DATA of ${bytes} bytes`;
  return data.refine(({ length }) => length === bytes, expected);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
