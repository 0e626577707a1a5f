/** Schemas of the parts of Anvil's state files that are read (observed: Anvil 1.7.1). */
import { z } from "zod";
import { decodeData } from "../../../primitives/bytes/hex.ts";

const DATA = "expected DATA";
/** DATA of any length, decoded to bytes. */
export const data = z
  .string(DATA)
  .regex(/^0x([0-9a-fA-F]{2})*$/, DATA)
  .transform((text) => decodeData(text));
const INTEGER = "expected a whole number from 0";
/** An integer below 2^256. The number of digits is limited, because conversion takes quadratic time. */
export const integer = z
  .union(
    [z.int(INTEGER).nonnegative(INTEGER), z.string().regex(/^(?:0x[0-9a-fA-F]{1,64}|\d{1,78})$/, INTEGER)],
    INTEGER,
  )
  .transform(BigInt);
const WORD = "expected DATA or a QUANTITY of 32 bytes";
/** 32 bytes, written as DATA or as a QUANTITY. */
export const word = z
  .string(WORD)
  .regex(/^0x[0-9a-fA-F]{0,64}$/, WORD)
  .transform((text) => decodeData(`0x${text.slice(2).padStart(64, "0")}`));

/** An account of the state, with its storage by slot. */
export const account = z.object({
  nonce: integer,
  balance: integer,
  code: data,
  /** {@link word} by {@link word}. There may be a million, so they are parsed one by one. */
  storage: z.custom<Readonly<Record<string, unknown>>>(isObject, "expected an object"),
});

/** A header in JSON-RPC's names. Members of later hardforks are null or absent in earlier ones. */
export const header = z.object({
  parentHash: data,
  sha3Uncles: data,
  miner: data,
  stateRoot: data,
  transactionsRoot: data,
  receiptsRoot: data,
  logsBloom: data,
  difficulty: integer,
  number: integer,
  gasLimit: integer,
  gasUsed: integer,
  timestamp: integer,
  extraData: data,
  mixHash: data,
  nonce: data,
  baseFeePerGas: integer.nullish(),
  withdrawalsRoot: data.nullish(),
  blobGasUsed: integer.nullish(),
  excessBlobGas: integer.nullish(),
  parentBeaconBlockRoot: data.nullish(),
  requestsHash: data.nullish(),
  blockAccessListHash: data.nullish(),
  slotNumber: integer.nullish(),
});

/** A transaction of any type that Anvil writes; its type decides which members must be there. */
export const transaction = z.object({
  type: integer.nullish(),
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
  type: integer.nullish(),
  status: integer,
  cumulativeGasUsed: integer,
  logs: z.array(z.object({ address: data, topics: z.array(data), data })),
});

/** An item of a block's `transactions`. */
export const blockTransaction = z.object({ transaction, impersonated_sender: data.nullish() });

/** An item of `blocks`. */
export const blockRow = z.object({
  header,
  /** {@link blockTransaction}s. There may be thousands, so they are parsed one by one. */
  transactions: z.custom<readonly unknown[]>(Array.isArray, "expected a list"),
  ommers: z.array(z.unknown()).max(0, "uncles are not expected"),
});

/** An item of `transactions`. */
export const receiptRow = z.object({
  info: z.object({ transaction_index: z.int(), contract_address: data.nullish() }),
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

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
