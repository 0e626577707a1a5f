/** Params of eth_subscribe: a kind and its argument. */
import { z } from "zod";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { bytesKey } from "../../primitives/bytes/bytes.ts";
import { watchLogs } from "../../services/query/watched-logs.ts";
import type { SubscriptionTopic } from "../subscriptions.ts";
import { checkValue } from "./check-params.ts";
import { logFilter } from "./log-filter.ts";
import { namedMembers } from "./named-members.ts";
import { hash } from "./primitives.ts";

/** The same limit as in geth. */
const MAX_RECEIPT_HASHES = 200;

/** geth takes a boolean, execution-apis an object with one. */
const wholeTransactions = z
  .union([z.boolean(), namedMembers(z.object({ includeTransactions: z.boolean().optional() }))], {
    error: "expected true for whole transactions",
  })
  .transform((value) => (typeof value === "boolean" ? value : value.includeTransactions === true));

const receiptsOf = namedMembers(
  z.object(
    {
      transactionHashes: z
        .array(hash, { error: "expected an array of transaction hashes" })
        .max(MAX_RECEIPT_HASHES, { error: `expected at most ${MAX_RECEIPT_HASHES} transaction hashes` })
        .nullish(),
    },
    { error: "expected an object with transactionHashes" },
  ),
);

/** By kind: reads the second parameter. */
const TOPICS: Readonly<Record<string, (argument: unknown) => SubscriptionTopic>> = {
  newHeads: () => ({ kind: "newHeads" }),
  syncing: () => ({ kind: "syncing" }),
  logs: (argument) => {
    const { range, criteria } = checkValue(logFilter, argument ?? {}, "params[1]");
    return { kind: "logs", watch: watchLogs(range, criteria) };
  },
  newPendingTransactions: (argument) => ({
    kind: "newPendingTransactions",
    whole: checkValue(wholeTransactions, argument ?? false, "params[1]"),
  }),
  transactionReceipts: (argument) => {
    const { transactionHashes } = checkValue(receiptsOf, argument ?? {}, "params[1]");
    // An empty list means all, as in geth.
    const all = (transactionHashes ?? []).length === 0;
    return { kind: "transactionReceipts", txHashes: all ? undefined : new Set(transactionHashes?.map(bytesKey)) };
  },
};

/** Which names exist depends on the method, so an unknown one is refused later. */
export const subscriptionKind = z.string({ error: "expected the name of a subscription such as newHeads" });

/**
 * The topic of a subscription.
 *
 * @throws {UnsupportedError} `NO_SUCH_SUBSCRIPTION`
 * @throws {InvalidParamsError} `INVALID_PARAMS`, `INVALID_BLOCK_RANGE`, `PENDING_LOGS_UNSUPPORTED`
 */
export function readTopic(kind: string, argument: unknown): SubscriptionTopic {
  const read = Object.hasOwn(TOPICS, kind) ? TOPICS[kind] : undefined;
  if (read !== undefined) return read(argument);
  throw new UnsupportedError({
    code: "NO_SUCH_SUBSCRIPTION",
    what: `no "${kind}" subscription in eth namespace`,
  });
}
