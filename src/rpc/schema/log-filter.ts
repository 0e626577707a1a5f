/** The filter object of eth_getLogs, eth_newFilter and eth_subscribe. */
import { z } from "zod";
import type { BlockId } from "../../chain/blocks/block-id.ts";
import { LATEST } from "../../chain/blocks/block-id.ts";
import type { LogCriteria } from "../../chain/read/log-filter.ts";
import type { LogRange } from "../../services/query/log-queries.ts";
import { namedMembers } from "./named-members.ts";
import { address, blockNumberOrTag, hash } from "./primitives.ts";

const MAXIMUM_TOPICS = 4;

function oneOrMany<Schema extends z.ZodType>(schema: Schema) {
  const list = z.array(schema);
  return z.unknown().transform((value, context): z.output<Schema>[] => {
    const parsed = Array.isArray(value) ? list.safeParse(value) : schema.safeParse(value);
    if (parsed.success) return (Array.isArray(value) ? parsed.data : [parsed.data]) as z.output<Schema>[];
    for (const issue of parsed.error.issues) {
      context.addIssue({ code: "custom", message: issue.message, path: issue.path, input: value });
    }
    return z.NEVER;
  });
}

const oneOrManyTopics = oneOrMany(hash);

/**
 * A topic position: a topic, a list of alternatives, or null for any. An empty list, or null among the alternatives,
 * means any too.
 */
const topicPosition = z.unknown().transform((value, context): Uint8Array[] | null => {
  if (value === null) return null;
  if (Array.isArray(value) && (value.length === 0 || value.includes(null))) return null;
  const parsed = oneOrManyTopics.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    context.addIssue({ code: "custom", message: issue.message, path: issue.path, input: value });
  }
  return z.NEVER;
});

const members = namedMembers(
  z.object(
    {
      fromBlock: blockNumberOrTag.nullish(),
      toBlock: blockNumberOrTag.nullish(),
      blockHash: hash.nullish(),
      address: oneOrMany(address).nullish(),
      topics: z
        .array(topicPosition, { error: "expected an array of topics, alternatives or null" })
        .max(MAXIMUM_TOPICS, { error: "expected at most 4 topic positions" })
        .nullish(),
    },
    { error: "expected a filter object" },
  ),
);

/** The parsed filter. */
export interface LogFilter {
  readonly range: LogRange;
  readonly criteria: LogCriteria;
}

/** A range of blocks or one block by its hash, but not both (execution-apis). */
export const logFilter = members
  .refine((filter) => filter.blockHash == null || (filter.fromBlock == null && filter.toBlock == null), {
    message: "cannot specify both blockHash and fromBlock/toBlock: expected one or the other",
  })
  .transform(
    (filter): LogFilter => ({
      range: rangeOf(filter.blockHash ?? undefined, filter.fromBlock ?? LATEST, filter.toBlock ?? LATEST),
      criteria: { addresses: filter.address ?? [], topics: filter.topics ?? [] },
    }),
  );

function rangeOf(blockHash: Uint8Array | undefined, fromBlock: BlockId, toBlock: BlockId): LogRange {
  return blockHash === undefined ? { fromBlock, toBlock } : { blockHash };
}
