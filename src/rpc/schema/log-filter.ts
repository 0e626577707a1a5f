/** The filter object of eth_getLogs. */
import type { BlockId } from "../../chain/block-id.ts";
import { LATEST } from "../../chain/block-id.ts";
import { anything, listOf, type Problem, type Schema } from "../../primitives/schema.ts";
import { object } from "../../primitives/schema-objects.ts";
import type { LogCriteria, LogRange } from "../../services/query/log-queries.ts";
import { address, blockNumberOrTag, hash } from "./primitives.ts";

const MAX_TOPICS = 4;

/** One or a list of them, as a list. */
function oneOrMany<Output>(schema: Schema<Output>): Schema<Output[]> {
  const many = listOf(schema);
  const one = schema.to((value) => [value]);
  return anything.to((value) => (Array.isArray(value) ? many : one).read(value));
}

const topics = oneOrMany(hash);

/** A topic position: a topic, alternatives, or null for any. Null or nothing among the alternatives means any, too. */
const topicPosition = anything.to((value): Uint8Array[] | null | Problem => {
  if (value === null) return null;
  if (Array.isArray(value) && (value.length === 0 || value.includes(null))) return null;
  return topics.read(value);
});

const members = object(
  {
    fromBlock: blockNumberOrTag.nullish(),
    toBlock: blockNumberOrTag.nullish(),
    blockHash: hash.nullish(),
    address: oneOrMany(address).nullish(),
    topics: listOf(topicPosition, "expected an array of topics, alternatives or null", {
      most: MAX_TOPICS,
      of: "topic positions",
    }).nullish(),
  },
  "expected a filter object",
);

/** What a filter asks for. */
export interface LogFilter {
  readonly range: LogRange;
  readonly criteria: LogCriteria;
}

export const logFilter = members
  .where(
    (filter) => filter.blockHash === undefined || (filter.fromBlock === undefined && filter.toBlock === undefined),
    "cannot specify both blockHash and fromBlock/toBlock: expected one or the other",
  )
  .to(
    (filter): LogFilter => ({
      range: rangeOf(filter.blockHash, filter.fromBlock ?? LATEST, filter.toBlock ?? LATEST),
      criteria: { addresses: filter.address ?? [], topics: filter.topics ?? [] },
    }),
  );

function rangeOf(blockHash: Uint8Array | undefined, fromBlock: BlockId, toBlock: BlockId): LogRange {
  return blockHash === undefined ? { fromBlock, toBlock } : { blockHash };
}
