/** Logs of blocks that join or leave the chain, for log filters and subscriptions. */

import { type LogCriteria, matches } from "../../chain/read/log-filter.ts";
import type { Block } from "../../chainspec/header/block.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { bloomHas } from "../../primitives/hash/bloom.ts";
import type { FoundLog, LogRange } from "./log-queries.ts";

/** Criteria of watched logs and bounds of their blocks. */
export interface LogWatch {
  readonly criteria: LogCriteria;
  /** undefined: no lower bound */
  readonly fromNumber: bigint | undefined;
  readonly toNumber: bigint | undefined;
  /** Only this block, if set. */
  readonly blockHash: Bytes | undefined;
}

/**
 * Applies a filter's block range to later blocks, by geth's rules.
 *
 * @throws {InvalidParamsError} `INVALID_BLOCK_RANGE`, or `PENDING_LOGS_UNSUPPORTED` for "pending"
 */
export function watchLogs(range: LogRange, criteria: LogCriteria): LogWatch {
  if ("blockHash" in range) return { criteria, fromNumber: undefined, toNumber: undefined, blockHash: range.blockHash };
  const from = boundOf(range.fromBlock);
  const to = boundOf(range.toBlock);
  const isForward = to === "latest" || (from !== "latest" && from <= to);
  if (!isForward) throw invalidRange(`fromBlock is ${from}, toBlock is ${to}.`);
  return {
    criteria,
    fromNumber: from === "latest" ? undefined : from,
    toNumber: to === "latest" ? undefined : to,
    blockHash: undefined,
  };
}

function boundOf(id: Exclude<LogRange, { blockHash: Bytes }>["fromBlock"]): bigint | "latest" {
  if ("number" in id) return id.number;
  const tag = "tag" in id ? id.tag : undefined;
  if (tag === "pending") {
    throw new InvalidParamsError({ code: "PENDING_LOGS_UNSUPPORTED", what: "pending logs are not supported" });
  }
  if (tag === "latest") return "latest";
  if (tag === "earliest") return 0n;
  throw invalidRange(`A filter for new logs begins or ends at a number, "earliest" or "latest", not at "${tag}".`);
}

function invalidRange(where: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_BLOCK_RANGE", what: "invalid block range params", where });
}

/** False if no log of a block can match, by the block's number, hash and bloom. Reads no receipts. */
export function mayHoldLogs({ header, hash }: Pick<Block, "header" | "hash">, watch: LogWatch): boolean {
  const { fromNumber, toNumber, blockHash, criteria } = watch;
  if (fromNumber !== undefined && header.number < fromNumber) return false;
  if (toNumber !== undefined && header.number > toNumber) return false;
  if (blockHash !== undefined && !equalBytes(hash, blockHash)) return false;
  const { addresses, topics } = criteria;
  const hasOneOf = (entries: readonly Bytes[]): boolean => entries.some((entry) => bloomHas(header.logsBloom, entry));
  if (addresses.length > 0 && !hasOneOf(addresses)) return false;
  return topics.every((alternatives) => alternatives === null || hasOneOf(alternatives));
}

/** The logs of a block that match the watch. */
export function watchedOf(logs: readonly FoundLog[], { criteria }: LogWatch): FoundLog[] {
  return logs.filter(({ log }) => matches(log, criteria));
}
