/** Schemas of blocks, transactions, receipts and logs. */
import { anyOf, arrayOf, BOOLEAN, type JsonSchema, NULL, object, orNull, ref } from "../json-schema.ts";
import { ADDRESS, DATA, HASH, HEX, QUANTITY, WORD } from "./primitives.ts";

/** Members of a header; some are null in a pending block. */
const HEADER = {
  number: orNull(QUANTITY),
  hash: orNull(HASH),
  parentHash: HASH,
  nonce: orNull(ref("Nonce")),
  sha3Uncles: HASH,
  logsBloom: orNull(ref("Bloom")),
  transactionsRoot: HASH,
  stateRoot: HASH,
  receiptsRoot: HASH,
  miner: ADDRESS,
  difficulty: QUANTITY,
  extraData: DATA,
  gasLimit: QUANTITY,
  gasUsed: QUANTITY,
  timestamp: QUANTITY,
  mixHash: WORD,
};

const HEADER_BY_HARDFORK = {
  baseFeePerGas: QUANTITY,
  withdrawalsRoot: HASH,
  blobGasUsed: QUANTITY,
  excessBlobGas: QUANTITY,
  parentBeaconBlockRoot: WORD,
  requestsHash: HASH,
  blockAccessListHash: HASH,
  slotNumber: QUANTITY,
};

/** Required members of every block. */
export const BLOCK = { ...HEADER, size: QUANTITY, uncles: arrayOf(HASH) };
/** Members that only some blocks have. */
export const BLOCK_OPTIONAL = {
  ...HEADER_BY_HARDFORK,
  withdrawals: arrayOf(ref("Withdrawal")),
  totalDifficulty: QUANTITY,
};
/** Transaction hashes, or whole transactions. */
export const TRANSACTIONS = anyOf(arrayOf(HASH), arrayOf(ref("Transaction")));

/** Gas of a transaction in two dimensions, from Amsterdam on. */
export const GAS_DIMENSIONS = { executionGasUsed: QUANTITY, stateGasUsed: QUANTITY, gasRefund: QUANTITY };

/** Members of every receipt, except its logs and their bloom. */
export const RECEIPT = {
  blockHash: HASH,
  blockNumber: QUANTITY,
  contractAddress: orNull(ADDRESS),
  cumulativeGasUsed: QUANTITY,
  effectiveGasPrice: QUANTITY,
  from: ADDRESS,
  gasUsed: QUANTITY,
  to: orNull(ADDRESS),
  transactionHash: HASH,
  transactionIndex: QUANTITY,
  type: QUANTITY,
};
/** Members that some receipts lack, by hardfork or by type. */
export const RECEIPT_OPTIONAL = {
  status: QUANTITY,
  root: HASH,
  blobGasUsed: QUANTITY,
  blobGasPrice: QUANTITY,
  ...GAS_DIMENSIONS,
};

/** Schemas by name. */
export const CHAIN: Readonly<Record<string, JsonSchema>> = {
  Withdrawal: object({ index: QUANTITY, validatorIndex: QUANTITY, address: ADDRESS, amount: QUANTITY }),
  Header: object(HEADER, HEADER_BY_HARDFORK),
  Block: object({ ...BLOCK, transactions: TRANSACTIONS }, BLOCK_OPTIONAL),
  BadBlock: object({ block: ref("Block"), hash: HASH, rlp: DATA }),
  Uncle: object({ ...BLOCK, totalDifficulty: QUANTITY, transactions: arrayOf(HASH) }),
  BlockAccessList: arrayOf(
    object({
      address: ADDRESS,
      storageChanges: arrayOf(object({ key: WORD, changes: arrayOf(object({ index: QUANTITY, value: WORD })) })),
      storageReads: arrayOf(WORD),
      balanceChanges: arrayOf(object({ index: QUANTITY, value: QUANTITY })),
      nonceChanges: arrayOf(object({ index: QUANTITY, value: QUANTITY })),
      codeChanges: arrayOf(object({ index: QUANTITY, code: DATA })),
    }),
  ),
  AccessListEntry: object({ address: ADDRESS, storageKeys: arrayOf(WORD) }),
  Authorization: object({
    chainId: QUANTITY,
    address: ADDRESS,
    nonce: QUANTITY,
    yParity: QUANTITY,
    r: QUANTITY,
    s: QUANTITY,
  }),
  Transaction: object(
    {
      blockHash: orNull(HASH),
      blockNumber: orNull(QUANTITY),
      blockTimestamp: orNull(QUANTITY),
      from: ADDRESS,
      gas: QUANTITY,
      gasPrice: QUANTITY,
      hash: HASH,
      input: DATA,
      nonce: QUANTITY,
      to: orNull(ADDRESS),
      transactionIndex: orNull(QUANTITY),
      value: QUANTITY,
      type: QUANTITY,
      v: QUANTITY,
      r: HEX,
      s: HEX,
    },
    {
      yParity: QUANTITY,
      chainId: orNull(QUANTITY),
      accessList: arrayOf(ref("AccessListEntry")),
      maxFeePerGas: QUANTITY,
      maxPriorityFeePerGas: QUANTITY,
      maxFeePerBlobGas: QUANTITY,
      blobVersionedHashes: arrayOf(HASH),
      authorizationList: arrayOf(ref("Authorization")),
      accesslist: arrayOf(ref("AccessListEntry")),
      condition: NULL,
      creates: orNull(ADDRESS),
      publicKey: orNull(DATA),
      raw: DATA,
      standardV: QUANTITY,
    },
  ),
  UnsignedTransaction: object(
    {
      type: QUANTITY,
      chainId: QUANTITY,
      from: ADDRESS,
      nonce: QUANTITY,
      to: orNull(ADDRESS),
      gas: QUANTITY,
      gasPrice: QUANTITY,
      value: QUANTITY,
      input: DATA,
    },
    {
      maxFeePerGas: QUANTITY,
      maxPriorityFeePerGas: QUANTITY,
      maxFeePerBlobGas: QUANTITY,
      blobVersionedHashes: arrayOf(HASH),
      accessList: arrayOf(ref("AccessListEntry")),
      authorizationList: arrayOf(ref("Authorization")),
    },
  ),
  SignedTransaction: object({ raw: DATA, tx: ref("Transaction") }),
  FilledTransaction: object({ raw: DATA, tx: ref("UnsignedTransaction") }),
  Log: object({
    address: ADDRESS,
    topics: arrayOf(WORD),
    data: DATA,
    blockNumber: orNull(QUANTITY),
    transactionHash: orNull(HASH),
    transactionIndex: orNull(QUANTITY),
    blockHash: orNull(HASH),
    blockTimestamp: orNull(QUANTITY),
    logIndex: orNull(QUANTITY),
    removed: BOOLEAN,
  }),
  Receipt: object({ ...RECEIPT, logs: arrayOf(ref("Log")), logsBloom: ref("Bloom") }, RECEIPT_OPTIONAL),
  FilterChanges: anyOf(arrayOf(HASH), arrayOf(ref("Log")), arrayOf(ref("Transaction"))),
};
