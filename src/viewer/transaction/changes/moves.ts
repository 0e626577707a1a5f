/** The tokens and the ether that a transaction moved, as transfers and as net changes. */
import { type Transfer, transfersIn } from "../../tokens/transfers.ts";
import type { WholeTransaction } from "../load.ts";

/** The net change of an account in one asset. */
export interface NetChange {
  readonly account: string;
  /** Undefined for ether. */
  readonly token: string | undefined;
  readonly id: bigint | undefined;
  readonly isDivided: boolean;
  readonly amount: bigint;
}

/** The transfers that lasted, in the order of their logs. */
export function transfersOf({ events }: WholeTransaction): readonly Transfer[] {
  return events.flatMap((event) => (event.isUndone ? [] : transfersIn(event)));
}

/** The gains and losses of each account, without fees; those of one account stand together. Ether needs a trace. */
export function netChangesOf(whole: WholeTransaction, transfers: readonly Transfer[]): readonly NetChange[] {
  const sums = new Map<string, NetChange>();
  const add = (change: NetChange): void => {
    const key = `${change.account} ${change.token} ${change.id}`;
    sums.set(key, { ...change, amount: change.amount + (sums.get(key)?.amount ?? 0n) });
  };
  for (const { token, standard, from, to, id, amount } of transfers) {
    const common = { token, id, isDivided: standard === "ERC-20" };
    add({ ...common, account: from, amount: -amount });
    add({ ...common, account: to, amount });
  }
  for (const change of whole.changes) {
    if (change.what !== "transfer" || change.isUndone) continue;
    const common = { token: undefined, id: undefined, isDivided: true };
    add({ ...common, account: change.from.toLowerCase(), amount: -change.value });
    add({ ...common, account: change.to.toLowerCase(), amount: change.value });
  }
  const isNobody = ({ account }: NetChange): boolean => BigInt(account) === 0n;
  const list = [...sums.values()].filter((change) => change.amount !== 0n && !isNobody(change));
  const order = new Map([...new Set(list.map(({ account }) => account))].map((account, at) => [account, at]));
  return list.sort((left, right) => (order.get(left.account) ?? 0) - (order.get(right.account) ?? 0));
}
