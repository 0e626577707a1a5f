/** Logs as they come and go with blocks: what log filters and log subscriptions watch. */
import type { Block } from "../../chainspec/header/block.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { bloomHas } from "../../primitives/hash/bloom.ts";
import { type FoundLog, type LogCriteria, type LogRange, matches } from "./log-queries.ts";

/** Which logs are watched: by address and topics, and in which blocks. */
export interface LogWatch {
  readonly criteria: LogCriteria;
  /** undefined: no bound */
  readonly fromNumber: bigint | undefined;
  readonly toNumber: bigint | undefined;
  /** One block alone. */
  readonly blockHash: Bytes | undefined;
}

/**
 * What a filter's range means for blocks that are still to come: geth's rules.
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
  throw invalidRange(`A filter of logs to come begins or ends at a number, "earliest" or "latest", not at "${tag}".`);
}

function invalidRange(where: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_BLOCK_RANGE", what: "invalid block range params", where });
}

/** False when no log of a block can be meant: told by its number, hash and bloom, without reading its receipts. */
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

/** Those of a block's logs that are watched. */
export function watchedOf(logs: readonly FoundLog[], { criteria }: LogWatch): FoundLog[] {
  return logs.filter(({ log }) => matches(log, criteria));
}
