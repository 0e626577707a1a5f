/** Answers of ots_* methods, with the members that Erigon gives. */
import { encodeData, encodeQuantity, type Hex } from "../../primitives/bytes/hex.ts";
import type { BlockDetails, Creation, HistoryPage, TransactionPage } from "../../services/query/otterscan.ts";
import type { InternalOperation, OtterscanCall } from "../../services/simulate/trace/otterscan-traces.ts";
import { arrayOf, BOOLEAN, INTEGER, NULL, named, object, orNull, TEXT } from "../openrpc/json-schema.ts";
import { ADDRESS, BLOOM, DATA, HASH, QUANTITY } from "../openrpc/primitives.ts";
import type {
  OtterscanBlockDetails,
  OtterscanCall as OtterscanCallJson,
  OtterscanHistoryPage,
  OtterscanOperation,
  OtterscanTransactionPage,
} from "../wire-types.generated.ts";
import { BLOCK_MEMBERS, encodeBlockJson, OPTIONAL_BLOCK_MEMBERS } from "./blocks/block.ts";
import { logSchema } from "./blocks/log.ts";
import { encodeReceiptJson, OPTIONAL_RECEIPT_MEMBERS, RECEIPT_MEMBERS } from "./blocks/receipt.ts";
import type { ResponseShape } from "./shape.ts";
import { encodeTransaction, transactionSchema } from "./transactions/transaction.ts";

const SLIM_BLOCK = { ...BLOCK_MEMBERS, logsBloom: NULL, transactionCount: INTEGER };

const LOGS = { logs: arrayOf(logSchema), logsBloom: BLOOM };

export const otterscanBlockDetailsSchema = named("OtterscanBlockDetails", () =>
  object({
    block: object(SLIM_BLOCK, OPTIONAL_BLOCK_MEMBERS),
    issuance: object({ blockReward: QUANTITY, uncleReward: QUANTITY, issuance: QUANTITY }),
    totalFees: QUANTITY,
  }),
);

export const otterscanTransactionPageSchema = named("OtterscanTransactionPage", () =>
  object({
    fullblock: object({ ...SLIM_BLOCK, transactions: arrayOf(transactionSchema) }, OPTIONAL_BLOCK_MEMBERS),
    receipts: arrayOf(object({ ...RECEIPT_MEMBERS, logs: NULL, logsBloom: NULL }, OPTIONAL_RECEIPT_MEMBERS)),
  }),
);

export const otterscanHistoryPageSchema = named("OtterscanHistoryPage", () =>
  object({
    txs: arrayOf(transactionSchema),
    receipts: arrayOf(object({ ...RECEIPT_MEMBERS, ...LOGS, timestamp: INTEGER }, OPTIONAL_RECEIPT_MEMBERS)),
    firstPage: BOOLEAN,
    lastPage: BOOLEAN,
  }),
);

export const otterscanCallSchema = named("OtterscanCall", () =>
  object({
    type: TEXT,
    depth: INTEGER,
    from: ADDRESS,
    to: ADDRESS,
    value: orNull(QUANTITY),
    input: DATA,
    output: DATA,
  }),
);

export const otterscanOperationSchema = named("OtterscanOperation", () =>
  object({
    type: { type: "integer", minimum: 0, maximum: 3 },
    from: ADDRESS,
    to: ADDRESS,
    value: QUANTITY,
  }),
);

export const otterscanCreationSchema = named("OtterscanCreation", () => object({ hash: HASH, creator: ADDRESS }));

const OPERATION_NUMBERS = { transfer: 0, selfDestruct: 1, create: 2, create2: 3 } as const;
/** Bytes of call data shown in lists: the selector. */
const SELECTOR_BYTES = 4;

/** A block without its transactions and its bloom. */
export function encodeBlockDetails(details: BlockDetails, shape: ResponseShape): OtterscanBlockDetails {
  const { view, blockReward, uncleReward, totalFees } = details;
  return {
    block: slimBlock(view, shape),
    issuance: {
      blockReward: encodeQuantity(blockReward),
      uncleReward: encodeQuantity(uncleReward),
      issuance: encodeQuantity(blockReward + uncleReward),
    },
    totalFees: encodeQuantity(totalFees),
  };
}

function slimBlock(view: BlockDetails["view"], shape: ResponseShape): OtterscanBlockDetails["block"] {
  const { transactions: _hashes, ...block } = encodeBlockJson(view, false, shape);
  return { ...block, logsBloom: null, transactionCount: view.block.transactions.length };
}

/** Transactions with the first 4 bytes of their input, and receipts without logs, as Otterscan expects them. */
export function encodeTransactionPage(
  { view, found }: TransactionPage,
  shape: ResponseShape,
): OtterscanTransactionPage {
  const transactions = found.map((each) => {
    const input = encodeData(each.tx.data.subarray(0, SELECTOR_BYTES));
    return { ...encodeTransaction(each, shape), input };
  });
  return {
    fullblock: { ...slimBlock(view, shape), transactions },
    receipts: found.map((each) => ({ ...encodeReceiptJson(each), logs: null, logsBloom: null })),
  };
}

/** Newest transactions first. `firstPage` means that there are no newer ones. */
export function encodeHistoryPage({ found, isFirst, isLast }: HistoryPage, shape: ResponseShape): OtterscanHistoryPage {
  return {
    txs: found.map((each) => encodeTransaction(each, shape)),
    receipts: found.map((each) => ({
      ...encodeReceiptJson(each),
      timestamp: Number(each.view.block.header.timestamp),
    })),
    firstPage: isFirst,
    lastPage: isLast,
  };
}

/** The type of a call is its opcode's name. */
export function encodeOtterscanCall({ type, depth, from, to, value, input, output }: OtterscanCall): OtterscanCallJson {
  return {
    type,
    depth,
    from: encodeData(from),
    to: encodeData(to),
    value: value === undefined ? null : encodeQuantity(value),
    input: encodeData(input),
    output: encodeData(output),
  };
}

/** Kinds are numbered 0 to 3: transfer, self-destruct, CREATE, CREATE2. */
export function encodeInternalOperation({ kind, from, to, value }: InternalOperation): OtterscanOperation {
  return {
    type: OPERATION_NUMBERS[kind],
    from: encodeData(from),
    to: encodeData(to),
    value: encodeQuantity(value),
  };
}

/** The answer of `ots_getContractCreator`. */
export function encodeCreation({ txHash, creator }: Creation): { hash: Hex; creator: Hex } {
  return { hash: encodeData(txHash), creator: encodeData(creator) };
}
