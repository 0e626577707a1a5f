/** Differences between the logs and the states that one transaction leaves under two hardforks. */
import type { AccountWrite } from "../../../evm/engine.ts";
import { type Bytes, bytesKey, bytesToBigInt, equalBytes } from "../../../primitives/bytes/bytes.ts";
import type { Log } from "../../../primitives/rlp/log-list.ts";
import type { HardforkSide } from "./hardfork-side.ts";

/** The value under each of two hardforks, in their order. */
export type Pair<T> = readonly [T, T];

/** A member of an account that differs after the transaction. Balances are in wei, as if gas were free. */
export type WriteDifference = { readonly address: Bytes } & (
  | { readonly member: "balance" | "nonce"; readonly values: Pair<bigint> }
  | { readonly member: "code"; readonly values: Pair<Bytes> }
  | { readonly member: "storage"; readonly slot: Bytes; readonly values: Pair<bigint> }
);

/** The logs that only one hardfork has, in order. A log that occurs twice counts twice. */
export function logDifferences([left, right]: Pair<readonly Log[]>): Pair<readonly Log[]> {
  return [without(left, right), without(right, left)];
}

function without(logs: readonly Log[], others: readonly Log[]): Log[] {
  const counts = new Map<string, number>();
  for (const log of others) counts.set(logKey(log), (counts.get(logKey(log)) ?? 0) + 1);
  return logs.filter((log) => {
    const left = counts.get(logKey(log)) ?? 0;
    counts.set(logKey(log), left - 1);
    return left <= 0;
  });
}

function logKey({ address, topics, data }: Log): string {
  return [address, ...topics, data].map(bytesKey).join(" ");
}

/** Differences in accounts and slots that the last transaction of at least one side wrote. */
export async function writeDifferences(sides: Pair<HardforkSide>): Promise<WriteDifference[]> {
  const found: WriteDifference[] = [];
  for (const { address, slots } of touched(sides)) {
    const [left, right] = await both(sides, (side) => side.account(address));
    for (const member of ["balance", "nonce"] as const) {
      if (left[member] !== right[member]) found.push({ address, member, values: [left[member], right[member]] });
    }
    if (!equalBytes(left.code, right.code)) found.push({ address, member: "code", values: [left.code, right.code] });
    for (const slot of slots) {
      const [one, other] = await both(sides, (side) => side.slot(address, slot));
      if (equalBytes(one, other)) continue;
      found.push({ address, member: "storage", slot, values: [bytesToBigInt(one), bytesToBigInt(other)] });
    }
  }
  return found;
}

async function both<T>([left, right]: Pair<HardforkSide>, read: (side: HardforkSide) => Promise<T>): Promise<Pair<T>> {
  return [await read(left), await read(right)];
}

/** Each written account once, with its written slots. */
function touched(sides: Pair<HardforkSide>): Iterable<{ readonly address: Bytes; readonly slots: Iterable<Bytes> }> {
  const accounts = new Map<string, { readonly address: Bytes; readonly slots: Map<string, Bytes> }>();
  const writes: readonly AccountWrite[] = sides.flatMap((side) => side.writes);
  for (const { address, slots } of writes) {
    const key = bytesKey(address);
    const account = accounts.get(key) ?? { address, slots: new Map<string, Bytes>() };
    accounts.set(key, account);
    for (const { slot } of slots) account.slots.set(bytesKey(slot), slot);
  }
  return [...accounts.values()].map(({ address, slots }) => ({ address, slots: slots.values() }));
}
