/** Differences of a transaction between the recorded and the changed history. */
import { ConsoleDecoder } from "../../../explain/console/console-decoder.ts";
import type { ConsoleCall } from "../../../explain/console/console-logs.ts";
import { type Bytes, bytesKey, bytesToBigInt, equalBytes } from "../../../primitives/bytes/bytes.ts";
import type { Log } from "../../../primitives/rlp/log-list.ts";
import { logDifferences, type Pair } from "../compare/differences.ts";
import type { NotedRun, ReplayedRun, RunPair } from "./changed-block.ts";
import type { NotedState } from "./noted-state.ts";
import { touchedBy } from "./state-differences.ts";
import type { ChangeKind } from "./what-if-plan.ts";

/** A line of `console.log`. */
export interface PrintedLine {
  /** The contract that printed; for a DELEGATECALL that of the storage. */
  readonly address: Bytes;
  readonly text: string;
}

/** A part of a slot that has a name, as text in both histories. */
export interface NamedDifference {
  /** For example `balances[0xAb…]`. */
  readonly name: string;
  readonly values: Pair<string>;
}

/** A slot that has another value after the transaction. */
export interface SlotDifference {
  readonly address: Bytes;
  readonly slot: Bytes;
  readonly values: Pair<bigint>;
  /** The variables that differ; empty if none is known. */
  readonly variables: readonly NamedDifference[];
}

/** An account whose balance the transaction changes by another amount, in wei. */
export interface BalanceDifference {
  readonly address: Bytes;
  readonly changes: Pair<bigint>;
}

/** A transaction in both histories. In each pair the recorded one comes first. */
export interface ComparedTransaction {
  readonly blockNumber: bigint;
  /** Of a mined transaction. */
  readonly txHash: Bytes | undefined;
  readonly txIndex: number | undefined;
  readonly change: ChangeKind;
  /** The first is undefined for an inserted transaction, the second for a dropped one. */
  readonly runs: Pair<ReplayedRun | undefined>;
  /** Logs that only the recorded history has, and those that only the changed one has. */
  readonly logs: Pair<readonly Log[]>;
  /** All lines. */
  readonly console: Pair<readonly PrintedLine[]>;
  readonly balances: readonly BalanceDifference[];
  readonly storage: readonly SlotDifference[];
}

/** The place of a pair, and the states after it. */
export interface ComparedStates {
  readonly blockNumber: bigint;
  readonly recorded: NotedState;
  readonly changed: NotedState;
}

/** Makes comparisons. */
export class Comparer {
  readonly #decoder = new ConsoleDecoder();

  /** Undefined if nothing of the transaction differs. */
  async compare(pair: RunPair, states: ComparedStates): Promise<ComparedTransaction | undefined> {
    const { planned, recorded, changed } = pair;
    const logs = logDifferences([recorded?.run.logs ?? [], changed?.run.logs ?? []]);
    const console = [this.#linesOf(recorded), this.#linesOf(changed)] as const;
    const balances = await balanceDifferences(pair, states);
    const storage = await slotDifferences(pair, states);
    const differences = [...logs, balances, storage];
    const isSame =
      planned.change === "none" &&
      differences.every((list) => list.length === 0) &&
      isSameRun(recorded?.run, changed?.run) &&
      textOf(console[0]) === textOf(console[1]);
    if (isSame) return undefined;
    const isMined = planned.change !== "inserted";
    return {
      blockNumber: states.blockNumber,
      txHash: isMined ? planned.tx.hash : undefined,
      txIndex: isMined ? planned.index : undefined,
      change: planned.change,
      runs: [recorded?.run, changed?.run],
      logs,
      console,
      balances,
      storage,
    };
  }

  #linesOf(run: NotedRun | undefined): readonly PrintedLine[] {
    return (run?.printed ?? []).flatMap(({ address, input }: ConsoleCall) => {
      const message = this.#decoder.decode(input);
      return message === undefined ? [] : [{ address, text: message.text }];
    });
  }
}

function textOf(lines: readonly PrintedLine[]): string {
  return lines.map(({ address, text }) => `${bytesKey(address)} ${text}`).join("\n");
}

function isSameRun(left: ReplayedRun | undefined, right: ReplayedRun | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.status === right.status &&
    left.reason === right.reason &&
    left.gasUsed === right.gasUsed &&
    equalBytes(left.output, right.output)
  );
}

async function balanceDifferences(
  { recorded, changed }: RunPair,
  states: ComparedStates,
): Promise<readonly BalanceDifference[]> {
  const left = await balanceChanges(recorded, states.recorded);
  const right = await balanceChanges(changed, states.changed);
  const found: BalanceDifference[] = [];
  for (const [key, { address }] of new Map([...left, ...right])) {
    const changes = [left.get(key)?.wei ?? 0n, right.get(key)?.wei ?? 0n] as const;
    if (changes[0] !== changes[1]) found.push({ address, changes });
  }
  return found;
}

interface BalanceChange {
  readonly address: Bytes;
  readonly wei: bigint;
}

async function balanceChanges(run: NotedRun | undefined, state: NotedState): Promise<Map<string, BalanceChange>> {
  const changes = new Map<string, BalanceChange>();
  for (const { address, balanceBefore } of run?.writes ?? []) {
    const key = bytesKey(address);
    if (changes.has(key)) continue;
    const balance = (await state.getAccount(address))?.balance ?? 0n;
    changes.set(key, { address, wei: balance - (await balanceBefore) });
  }
  return changes;
}

async function slotDifferences(
  { recorded, changed }: RunPair,
  states: ComparedStates,
): Promise<readonly SlotDifference[]> {
  const found: SlotDifference[] = [];
  for (const { address, slots } of touchedBy(...[recorded, changed].filter((run) => run !== undefined))) {
    for (const slot of slots) {
      const [left, right] = [
        await states.recorded.getStorage(address, slot),
        await states.changed.getStorage(address, slot),
      ];
      if (equalBytes(left, right)) continue;
      found.push({ address, slot, values: [bytesToBigInt(left), bytesToBigInt(right)], variables: [] });
    }
  }
  return found;
}
