/** Criteria of the logs that a query is for. */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { bloomHas } from "../../primitives/hash/bloom.ts";
import type { Log } from "../../primitives/rlp/log-list.ts";

/** Criteria of a log: any of the addresses, and at each topic position any of the alternatives. */
export interface LogCriteria {
  /** Empty: any address. */
  readonly addresses: readonly Bytes[];
  /** By position; null: any topic. A list longer than a log's topics does not match it. */
  readonly topics: readonly (readonly Bytes[] | null)[];
}

/** True if a log matches the criteria. */
export function matches(log: Log, { addresses, topics }: LogCriteria): boolean {
  if (addresses.length > 0 && !addresses.some((address) => equalBytes(address, log.address))) return false;
  if (topics.length > log.topics.length) return false;
  return topics.every(
    (alternatives, position) =>
      alternatives === null || alternatives.some((topic) => equalBytes(topic, log.topics[position] as Bytes)),
  );
}

/** False if a block with this bloom has no log that matches the criteria. */
export function mayMatch(bloom: Bytes, { addresses, topics }: LogCriteria): boolean {
  const hasAny = (entries: readonly Bytes[]): boolean => entries.some((entry) => bloomHas(bloom, entry));
  if (bloom.every((byte) => byte === 0)) return false;
  return (addresses.length === 0 || hasAny(addresses)) && topics.every((any) => any === null || hasAny(any));
}
