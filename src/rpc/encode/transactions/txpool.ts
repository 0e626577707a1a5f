/** The transaction pool as JSON in geth's shape: maps by checksummed sender and decimal nonce. */
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import { checksumAddress } from "../../../primitives/address.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { PoolStatus } from "../../../services/query/pool-queries.ts";
import type { SenderContent } from "../../../txpool/tx-pool.ts";
import { mapOf, named, object, TEXT } from "../../openrpc/json-schema.ts";
import { QUANTITY } from "../../openrpc/primitives.ts";
import type { Transaction as TransactionJson } from "../../wire-types.generated.ts";
import type { AnswerForms, ResponseShape } from "../shape.ts";
import { encodeTransaction, transactionSchema } from "./transaction.ts";

export const poolStatusSchema = named("PoolStatus", () => object({ pending: QUANTITY, queued: QUANTITY }));

export const poolByNonceSchema = named("PoolByNonce", () => mapOf(transactionSchema, "^[0-9]+$"));

export const poolBySenderSchema = named("PoolBySender", () => mapOf(poolByNonceSchema, "^0x[0-9a-fA-F]{40}$"));

export const poolContentSchema = named("PoolContent", () =>
  object({ pending: poolBySenderSchema, queued: poolBySenderSchema }),
);

export const poolContentFromSchema = named("PoolContentFrom", () =>
  object({ pending: poolByNonceSchema, queued: poolByNonceSchema }),
);

export const poolTextsSchema = named("PoolTexts", () =>
  object({ pending: mapOf(mapOf(TEXT)), queued: mapOf(mapOf(TEXT)) }),
);

type ByNonce<Entry> = Record<string, Entry>;

/** Pending and queued transactions. */
export interface PoolListsJson<Lists> {
  pending: Lists;
  queued: Lists;
}

/** Numbers of transactions that could be executed, and that wait for a nonce. */
export function encodePoolStatus({ pending, queued }: PoolStatus): PoolListsJson<Hex> {
  return { pending: encodeQuantity(pending), queued: encodeQuantity(queued) };
}

/** The answer of `txpool_content`, of all senders. */
export function encodePoolContent(
  content: readonly SenderContent[],
  shape: ResponseShape,
  { poolSenders }: AnswerForms,
): PoolListsJson<Record<Hex, ByNonce<TransactionJson>>> {
  return bySender(content, poolSenders, encodeWaiting(shape));
}

/** The answer of `txpool_contentFrom`, of one sender. */
export function encodeSenderContent(
  { pending, queued }: SenderContent,
  shape: ResponseShape,
): PoolListsJson<ByNonce<TransactionJson>> {
  const encode = encodeWaiting(shape);
  return { pending: byNonce(pending, encode), queued: byNonce(queued, encode) };
}

/** Each transaction as text: `<recipient>: <value> wei + <gas> gas × <fee cap> wei`. */
export function inspectPoolContent(
  content: readonly SenderContent[],
  _shape: ResponseShape,
  { poolSenders }: AnswerForms,
): PoolListsJson<Record<Hex, ByNonce<string>>> {
  return bySender(content, poolSenders, inspect);
}

function inspect(tx: Transaction): string {
  const recipient = tx.to === undefined ? "contract creation" : checksumAddress(tx.to);
  return `${recipient}: ${tx.value} wei + ${tx.gasLimit} gas × ${tx.maxFeePerGas} wei`;
}

function encodeWaiting(shape: ResponseShape): (tx: Transaction) => TransactionJson {
  return (tx) => encodeTransaction({ tx, view: undefined, index: 0 }, shape);
}

function bySender<Entry>(
  content: readonly SenderContent[],
  form: AnswerForms["poolSenders"],
  encode: (tx: Transaction) => Entry,
): PoolListsJson<Record<Hex, ByNonce<Entry>>> {
  const key = form === "checksummed" ? checksumAddress : encodeData;
  const listed = (list: "pending" | "queued"): Record<Hex, ByNonce<Entry>> => {
    const senders = content.filter((entry) => entry[list].length > 0);
    return Object.fromEntries(senders.map((entry) => [key(entry.sender), byNonce(entry[list], encode)]));
  };
  return { pending: listed("pending"), queued: listed("queued") };
}

function byNonce<Entry>(transactions: readonly Transaction[], encode: (tx: Transaction) => Entry): ByNonce<Entry> {
  return Object.fromEntries(transactions.map((tx) => [tx.nonce.toString(), encode(tx)]));
}
