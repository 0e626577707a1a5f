/** Collects what a replay file holds: the recording, the sources, and all storage that a session may show. */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import { Program } from "../program/program.ts";
import type { RecordingAnswers } from "../recording/fetch-transaction.ts";
import { encodeReplay } from "../recording/replay-file.ts";
import type { DebuggedTransaction } from "../recording/transaction.ts";
import { StateValues } from "../values/state-values.ts";
import { StorageHistory } from "../values/storage-history.ts";
import type { ValueNode } from "../values/value-node.ts";

/** Structs, arrays and mappings inside each other that are opened. */
const MOST_DEPTH = 6;

interface UsedAccount {
  readonly account: Bytes;
  readonly slots: Set<bigint>;
}

/**
 * The bytes of a replay file.
 *
 * @param answers - of the node that the transaction was read from
 */
export async function saveReplay(debugged: DebuggedTransaction, answers: RecordingAnswers): Promise<Bytes> {
  const program = new Program(debugged.transaction, debugged.contracts);
  const contracts = program.codes.all.flatMap(({ found }) => (found === undefined ? [] : [found.contract]));
  const builds = await debugged.contracts.documentsOf(contracts);
  return encodeReplay({ ...answers, builds, storage: await storageOf(debugged, program) });
}

async function storageOf(debugged: DebuggedTransaction, program: Program): Promise<readonly unknown[]> {
  const accounts = await usedSlots(debugged, program);
  const stored: unknown[] = [];
  for (const { account, slots } of accounts) {
    const list = [...slots];
    const values = await debugged.storage.read(account, list);
    const pairs = list.map((slot, index) => [encodeQuantity(slot), encodeQuantity(values[index] ?? 0n)]);
    stored.push({ address: encodeData(account), slots: pairs });
  }
  return stored;
}

/** Slots of state variables, opened as a user would before and after the transaction, and those that it used. */
async function usedSlots(debugged: DebuggedTransaction, program: Program): Promise<readonly UsedAccount[]> {
  const history = new StorageHistory(debugged);
  const accounts = new Map<string, UsedAccount>();
  const walked = new Set<string>();
  for (const { frame, code } of program.activations) {
    const { account } = frame;
    const key = account && bytesKey(account);
    if (account === undefined || key === undefined || walked.has(`${key}${code.index}`)) continue;
    walked.add(`${key}${code.index}`);
    const { slots } = accounts.get(key) ?? { slots: new Set<bigint>() };
    accounts.set(key, { account, slots });
    const end = { isTransient: false, step: program.length };
    for (const slot of history.usedSlots(account, end)) slots.add(slot);
    const layout = code.found?.contract.storage();
    for (const step of [0, program.length]) {
      const read = async (wanted: readonly bigint[]) => {
        for (const slot of wanted) slots.add(slot);
        return history.read(account, wanted, step);
      };
      const values = new StateValues({ account, isTransient: false, read }, history.preimages);
      if (layout !== undefined) await open(await values.nodes([...layout.variables, ...layout.namespaces]), MOST_DEPTH);
    }
  }
  return [...accounts.values()];
}

async function open(nodes: readonly ValueNode[], depth: number): Promise<void> {
  if (depth === 0) return;
  for (const { children } of nodes) if (children !== undefined) await open(await children(), depth - 1);
}
