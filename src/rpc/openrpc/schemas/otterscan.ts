/** Schemas of the answers of ots_* methods. */
import { arrayOf, BOOLEAN, INTEGER, type JsonSchema, NULL, object, orNull, ref, TEXT } from "../json-schema.ts";
import { BLOCK, BLOCK_OPTIONAL, RECEIPT, RECEIPT_OPTIONAL } from "./chain.ts";
import { ADDRESS, DATA, HASH, QUANTITY } from "./primitives.ts";

const SLIM_BLOCK = { ...BLOCK, logsBloom: NULL, transactionCount: INTEGER };
const LOGS = { logs: arrayOf(ref("Log")), logsBloom: ref("Bloom") };

/** Schemas by name. */
export const OTTERSCAN: Readonly<Record<string, JsonSchema>> = {
  OtterscanBlockDetails: object({
    block: object(SLIM_BLOCK, BLOCK_OPTIONAL),
    issuance: object({ blockReward: QUANTITY, uncleReward: QUANTITY, issuance: QUANTITY }),
    totalFees: QUANTITY,
  }),
  OtterscanTransactionPage: object({
    fullblock: object({ ...SLIM_BLOCK, transactions: arrayOf(ref("Transaction")) }, BLOCK_OPTIONAL),
    receipts: arrayOf(object({ ...RECEIPT, logs: NULL, logsBloom: NULL }, RECEIPT_OPTIONAL)),
  }),
  OtterscanHistoryPage: object({
    txs: arrayOf(ref("Transaction")),
    receipts: arrayOf(object({ ...RECEIPT, ...LOGS, timestamp: INTEGER }, RECEIPT_OPTIONAL)),
    firstPage: BOOLEAN,
    lastPage: BOOLEAN,
  }),
  OtterscanCall: object({
    type: TEXT,
    depth: INTEGER,
    from: ADDRESS,
    to: ADDRESS,
    value: orNull(QUANTITY),
    input: DATA,
    output: DATA,
  }),
  OtterscanOperation: object({
    type: { type: "integer", minimum: 0, maximum: 3 },
    from: ADDRESS,
    to: ADDRESS,
    value: QUANTITY,
  }),
  OtterscanCreation: object({ hash: HASH, creator: ADDRESS }),
};
