/** Schemas of accounts, proofs and simulations. */
import {
  ANYTHING,
  anyOf,
  arrayOf,
  BOOLEAN,
  INTEGER,
  type JsonSchema,
  mapOf,
  object,
  orNull,
  ref,
  TEXT,
} from "../json-schema.ts";
import { BLOCK, BLOCK_OPTIONAL, GAS_DIMENSIONS, TRANSACTIONS } from "./chain.ts";
import { ADDRESS, DATA, HASH, HEX, QUANTITY, WORD } from "./primitives.ts";

/** Decimal wei; what the coinbase was sent may be negative. */
const WEI: JsonSchema = { title: "decimal wei", type: "string", pattern: "^-?[0-9]+$" };
const PAYMENTS = { coinbaseDiff: WEI, ethSentToCoinbase: WEI, gasFees: WEI };

/** Schemas by name. */
export const STATE: Readonly<Record<string, JsonSchema>> = {
  AccountProof: object({
    address: ADDRESS,
    accountProof: arrayOf(DATA),
    balance: QUANTITY,
    codeHash: HASH,
    nonce: QUANTITY,
    storageHash: HASH,
    storageProof: arrayOf(object({ key: HEX, value: QUANTITY, proof: arrayOf(DATA) })),
  }),
  Account: object({ balance: QUANTITY, codeHash: HASH, nonce: QUANTITY, storageRoot: HASH }),
  AccountInfo: object({ balance: QUANTITY, nonce: QUANTITY, code: DATA }),
  StorageValues: mapOf(arrayOf(WORD), "^0x[0-9a-f]{40}$"),
  StorageRange: object({
    storage: mapOf(object({ key: orNull(WORD), value: WORD }), "^0x[0-9a-f]{64}$"),
    nextKey: orNull(WORD),
  }),
  AccountRange: object(
    {
      root: TEXT,
      accounts: mapOf(
        object(
          { balance: ref("Decimal"), nonce: INTEGER, root: HASH, codeHash: HASH, key: HASH },
          { code: DATA, storage: mapOf(TEXT, "^0x[0-9a-f]{64}$"), address: ADDRESS },
        ),
      ),
    },
    { next: TEXT },
  ),
  AccessListResult: object({ accessList: arrayOf(ref("AccessListEntry")), gasUsed: QUANTITY }, { error: TEXT }),
  CallOutcome: anyOf(object({ value: DATA }), object({ error: ANYTHING })),
  SimulatedCall: object(
    { returnData: DATA, logs: arrayOf(ref("Log")), gasUsed: QUANTITY, maxUsedGas: QUANTITY, status: QUANTITY },
    { ...GAS_DIMENSIONS, error: object({ message: TEXT, code: INTEGER }, { data: DATA }) },
  ),
  ExecutionWitness: object({ state: arrayOf(DATA), codes: arrayOf(DATA), keys: arrayOf(DATA), headers: arrayOf(DATA) }),
  CallBatchStatus: object({
    version: TEXT,
    id: TEXT,
    chainId: QUANTITY,
    status: INTEGER,
    atomic: BOOLEAN,
    receipts: arrayOf(
      object({
        logs: arrayOf(object({ address: ADDRESS, data: DATA, topics: arrayOf(HASH) })),
        status: QUANTITY,
        blockHash: HASH,
        blockNumber: QUANTITY,
        gasUsed: QUANTITY,
        transactionHash: HASH,
      }),
    ),
  }),
  BundleResult: object({
    bundleHash: HASH,
    bundleGasPrice: ref("Decimal"),
    ...PAYMENTS,
    results: arrayOf(
      object(
        {
          ...PAYMENTS,
          txHash: HASH,
          fromAddress: ADDRESS,
          toAddress: orNull(ADDRESS),
          gasPrice: ref("Decimal"),
          gasUsed: INTEGER,
        },
        { value: DATA, error: TEXT, revert: DATA },
      ),
    ),
    stateBlockNumber: INTEGER,
    totalGasUsed: INTEGER,
  }),
  DecodedExecution: object({
    status: BOOLEAN,
    gasUsed: QUANTITY,
    cumulativeGasUsed: QUANTITY,
    blockNumber: QUANTITY,
    type: QUANTITY,
    logsBloom: ref("Bloom"),
    logs: arrayOf(
      object({
        name: TEXT,
        anonymous: BOOLEAN,
        inputs: orNull(arrayOf(ref("DecodedValue"))),
        raw: object({ address: ADDRESS, topics: arrayOf(HASH), data: DATA }),
      }),
    ),
    trace: arrayOf(
      object(
        {
          type: TEXT,
          from: ADDRESS,
          gas: QUANTITY,
          gasUsed: QUANTITY,
          value: QUANTITY,
          input: DATA,
          output: DATA,
          subtraces: INTEGER,
          traceAddress: arrayOf(INTEGER),
        },
        {
          to: ADDRESS,
          error: TEXT,
          decodedInput: arrayOf(ref("DecodedValue")),
          method: TEXT,
          decodedOutput: arrayOf(ref("DecodedValue")),
        },
      ),
    ),
    assetChanges: arrayOf(
      object(
        {
          assetInfo: object({ standard: TEXT }, { type: TEXT, contractAddress: ADDRESS, tokenId: QUANTITY }),
          type: TEXT,
          rawAmount: QUANTITY,
        },
        { from: ADDRESS, to: ADDRESS },
      ),
    ),
    stateChanges: arrayOf(
      object(
        { address: ADDRESS },
        {
          nonce: object({ previousValue: QUANTITY, newValue: QUANTITY }),
          balance: object({ previousValue: QUANTITY, newValue: QUANTITY }),
          storage: arrayOf(object({ slot: WORD, previousValue: WORD, newValue: WORD })),
        },
      ),
    ),
  }),
  DecodedValue: object({ value: ANYTHING, type: TEXT, name: TEXT }, { indexed: BOOLEAN }),
  SimulatedBlock: object(
    { ...BLOCK, transactions: TRANSACTIONS, calls: arrayOf(ref("SimulatedCall")) },
    BLOCK_OPTIONAL,
  ),
  Payload: object({
    executionPayload: object(
      {
        parentHash: HASH,
        feeRecipient: ADDRESS,
        stateRoot: HASH,
        receiptsRoot: HASH,
        logsBloom: ref("Bloom"),
        prevRandao: WORD,
        blockNumber: QUANTITY,
        gasLimit: QUANTITY,
        gasUsed: QUANTITY,
        timestamp: QUANTITY,
        extraData: DATA,
        baseFeePerGas: QUANTITY,
        blockHash: HASH,
        transactions: arrayOf(DATA),
      },
      {
        withdrawals: arrayOf(ref("Withdrawal")),
        blobGasUsed: QUANTITY,
        excessBlobGas: QUANTITY,
        blockAccessList: DATA,
        slotNumber: QUANTITY,
      },
    ),
    blockValue: QUANTITY,
    blobsBundle: object({ commitments: arrayOf(DATA), proofs: arrayOf(DATA), blobs: arrayOf(DATA) }),
    executionRequests: arrayOf(DATA),
    shouldOverrideBuilder: BOOLEAN,
  }),
};
