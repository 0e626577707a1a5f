/** Describes halts: why a call failed, and what is about to be written. */

import { Op } from "../../evm/opcodes.ts";
import { reasonText } from "../../explain/stack/reason-text.ts";
import { solidityStack } from "../../explain/stack/solidity-stack.ts";
import { SlotNames } from "../../explain/storage/slot-names.ts";
import { valueText, wordText } from "../../explain/storage/value-text.ts";
import { machineAt } from "../../tracer/inspect/machine-at.ts";
import type { Halt } from "../program/halts.ts";
import type { Program } from "../program/program.ts";
import type { DebuggedTransaction } from "../recording/transaction.ts";
import type { StorageHistory } from "../values/storage-history.ts";

/** Sources of reasons and names of slots. */
export interface HaltSources {
  readonly debugged: DebuggedTransaction;
  readonly program: Program;
  readonly history: StorageHistory;
}

/** A sentence about a halt. */
export async function haltText(step: number, { kind, frame }: Halt, sources: HaltSources): Promise<string> {
  const { abi, contracts, transaction } = sources.debugged;
  const { frames, steps } = transaction;
  if (kind === "storageWrite") return writeText(step, sources);
  const stack = solidityStack({ frames, steps, accesses: [] }, { abi, contracts }, frame);
  return stack === undefined ? "The call fails." : reasonText(stack.reason);
}

async function writeText(step: number, { debugged, program, history }: HaltSources): Promise<string> {
  const { frames, steps } = debugged.transaction;
  const { frame, code } = program.activationOf(step);
  const { account } = frame;
  const machine = machineAt({ frames, steps }, step);
  const [slot, value] = [machine.operand(0), machine.operand(1)];
  const buffer = steps.bufferOf(step);
  const isTransient = buffer.opcode(step - buffer.first) === Op.TSTORE;
  const layout = code.found?.contract.storage();
  const variables = isTransient ? layout?.transient : [...(layout?.variables ?? []), ...(layout?.namespaces ?? [])];
  const parts = new SlotNames(variables ?? [], history.preimages).parts(slot);
  const [before] =
    account === undefined
      ? [undefined]
      : isTransient
        ? [history.readTransient(account, slot, step)]
        : await history.read(account, [slot], step);
  const shownParts = parts.length === 0 ? [undefined] : parts;
  const changes = shownParts.flatMap((part) => {
    const text = (word: bigint): string =>
      part === undefined ? wordText(word) : valueText(part.type, word, part.offset);
    const [old, next] = [before === undefined ? "?" : text(before), text(value)];
    return old === next && shownParts.length > 1 ? [] : [`${part?.name ?? `slot ${wordText(slot)}`}: ${old} → ${next}`];
  });
  return changes.length === 0 ? "The slot keeps its value." : changes.join(", ");
}
