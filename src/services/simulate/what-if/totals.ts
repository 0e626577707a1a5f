/** Sums of a what-if replay. */
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import type { Pair } from "../compare/differences.ts";
import type { RunPair } from "./changed-block.ts";
import type { ComparedTransaction } from "./comparison.ts";

/** Sums over all blocks that have run. In each pair the recorded history comes first. */
export interface ReplayTotals {
  readonly blocks: number;
  readonly transactions: number;
  /** Transactions of which anything differs. */
  readonly different: number;
  /** Transactions that end with another status. */
  readonly otherStatus: number;
  /** Transactions that the changed history refuses. */
  readonly refused: number;
  readonly gasUsed: Pair<bigint>;
  readonly logs: Pair<number>;
  /** Logs that only one of the histories has. */
  readonly differentLogs: Pair<number>;
  readonly consoleLines: Pair<number>;
}

/** An account that has gained more than recorded, or less if the amount is negative. */
export interface BalanceSum {
  readonly address: Bytes;
  readonly wei: bigint;
}

/** Counts transactions one by one. */
export class TotalCounter {
  #blocks = 0;
  #transactions = 0;
  #different = 0;
  #otherStatus = 0;
  #refused = 0;
  readonly #gasUsed: [bigint, bigint] = [0n, 0n];
  readonly #logs: [number, number] = [0, 0];
  readonly #differentLogs: [number, number] = [0, 0];
  readonly #consoleLines: [number, number] = [0, 0];
  readonly #balances = new Map<string, BalanceSum>();

  /** @param compared - undefined if nothing differs */
  count({ recorded, changed }: RunPair, compared: ComparedTransaction | undefined): void {
    this.#transactions++;
    for (const [side, noted] of [recorded, changed].entries() as Iterable<[0 | 1, RunPair["recorded"]]>) {
      this.#gasUsed[side] += noted?.run.gasUsed ?? 0n;
      this.#logs[side] += noted?.run.logs.length ?? 0;
    }
    if (changed?.run.status === "refused") this.#refused++;
    if (compared === undefined) return;
    this.#different++;
    if (recorded?.run.status !== changed?.run.status) this.#otherStatus++;
    for (const side of [0, 1] as const) {
      this.#differentLogs[side] += compared.logs[side].length;
      this.#consoleLines[side] += compared.console[side].length;
    }
    for (const { address, changes } of compared.balances) this.#addBalance(address, changes);
  }

  #addBalance(address: Bytes, [left, right]: Pair<bigint>): void {
    const key = bytesKey(address);
    const wei = (this.#balances.get(key)?.wei ?? 0n) + right - left;
    if (wei === 0n) this.#balances.delete(key);
    else this.#balances.set(key, { address, wei });
  }

  /** Sums by account; none that is zero. */
  get balances(): readonly BalanceSum[] {
    return [...this.#balances.values()];
  }

  endBlock(): ReplayTotals {
    this.#blocks++;
    return this.totals;
  }

  get totals(): ReplayTotals {
    return {
      blocks: this.#blocks,
      transactions: this.#transactions,
      different: this.#different,
      otherStatus: this.#otherStatus,
      refused: this.#refused,
      gasUsed: [...this.#gasUsed],
      logs: [...this.#logs],
      differentLogs: [...this.#differentLogs],
      consoleLines: [...this.#consoleLines],
    };
  }
}
