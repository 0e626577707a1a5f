/** Lists the variables that a transaction wrote to, each with its writes. */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import type { FoundContract } from "../source/contract-finder.ts";
import {
  functionAround,
  functionTitle,
  type SourceFunction,
  type SourcePosition,
  sourceText,
} from "../source/source-file.ts";
import type { StorageLayout } from "../source/storage-type.ts";
import { constantsOf } from "./code-constants.ts";
import { fixedSlotPart } from "./fixed-slots.ts";
import { SlotNames } from "./slot-names.ts";
import type { SlotPart } from "./slot-parts.ts";
import type { StorageWrite, WritesOfRecording } from "./storage-writes.ts";
import { storedText } from "./stored-text.ts";
import { scalarOf, valueText, wordText } from "./value-text.ts";

/** The reason why a slot has no variable name. */
export type UnnamedReason =
  | "the contract is not known"
  | "the build has neither a storage layout nor an AST"
  | "no variable is known to have this slot";

/** A variable that was written to, or a slot whose variable is not known. */
export interface VariableChange {
  readonly account: Bytes;
  /**
   * Of a proxy its implementation, if that ran; otherwise the contract whose layout names the variable, or the contract
   * that wrote. Undefined if not known.
   */
  readonly contract: string | undefined;
  /** For example `balances[0xAb…]`, `limits[2].low`; undefined if not known. */
  readonly name: string | undefined;
  /** Undefined if there is a name. */
  readonly unnamedBecause: UnnamedReason | undefined;
  /** The Solidity type; undefined for slots without a name and for parts of long strings. */
  readonly type: string | undefined;
  readonly slot: bigint;
  /** True for transient storage, which ends with the transaction (EIP-1153). */
  readonly isTransient: boolean;
  /** Values as text, before and after the transaction. They are equal if it was set back or the write was undone. */
  readonly before: string;
  readonly after: string;
  /** In order of execution. */
  readonly writes: readonly VariableWrite[];
}

/** One write that changed a variable. */
export interface VariableWrite {
  readonly before: string;
  readonly after: string;
  /** True if the call failed, so that the write was undone. */
  readonly isUndone: boolean;
  /** Index of the call frame in its recording. */
  readonly callFrame: number;
  /** For example `Vault.withdraw`; undefined if the source is not known. */
  readonly function: string | undefined;
  readonly file: string | undefined;
  readonly position: SourcePosition | undefined;
  /** True if the optimizer shares or moves code, so that another function may have written. */
  readonly isApproximate: boolean;
}

/** Reads the value of a slot before the transaction. */
export type ReadSlot = (account: Bytes, slot: bigint) => Promise<bigint>;

/** A slot with all writes to it. */
interface WrittenSlot {
  readonly first: StorageWrite;
  readonly initial: bigint;
  readonly writes: readonly { readonly write: StorageWrite; readonly before: bigint }[];
  readonly final: bigint;
}

/** Names all slots that were written to, in order of the first write. */
export async function variableChanges(read: WritesOfRecording, readSlot: ReadSlot): Promise<readonly VariableChange[]> {
  const names = new Names(read);
  const changes: VariableChange[] = [];
  const slots = await writtenSlots(read.writes, readSlot);
  const written = new Map(slots.map((slot) => [keyOf(slot.first), slot]));
  for (const slot of slots) {
    for (const change of changesOf(slot, names.of(slot.first))) {
      changes.push(isText(change) ? await withTexts(change, slot, { written, readSlot }) : change);
    }
  }
  return changes;
}

function isText({ type }: VariableChange): boolean {
  return type === "string" || type === "bytes";
}

/** The values of a string before and after the transaction, with the data in slots of their own. */
async function withTexts(
  change: VariableChange,
  { initial, final }: WrittenSlot,
  { written, readSlot }: { readonly written: ReadonlyMap<string, WrittenSlot>; readonly readSlot: ReadSlot },
): Promise<VariableChange> {
  const { account, slot, type: label = "", isTransient, before, after } = change;
  const textOf = (word: bigint, when: "initial" | "final"): Promise<string | undefined> =>
    storedText({ label, slot, word }, (data) =>
      Promise.all(
        data.map((each) => written.get(keyOf({ account, slot: each, isTransient }))?.[when] ?? readSlot(account, each)),
      ),
    );
  return {
    ...change,
    before: (await textOf(initial, "initial")) ?? before,
    after: (await textOf(final, "final")) ?? after,
  };
}

function keyOf({ account, slot, isTransient }: Pick<StorageWrite, "account" | "slot" | "isTransient">): string {
  return `${bytesKey(account)}:${slot}:${isTransient}`;
}

async function writtenSlots(writes: readonly StorageWrite[], readSlot: ReadSlot): Promise<readonly WrittenSlot[]> {
  const groups = new Map<string, StorageWrite[]>();
  for (const write of writes) {
    const key = keyOf(write);
    groups.set(key, [...(groups.get(key) ?? []), write]);
  }
  const slots: WrittenSlot[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    slots.push(withValues(first, group, first.isTransient ? 0n : await readSlot(first.account, first.slot)));
  }
  return slots;
}

/** Computes the value before each write. When a failed frame ends, its writes are undone. */
function withValues(first: StorageWrite, group: readonly StorageWrite[], initial: bigint): WrittenSlot {
  const standing: StorageWrite[] = [];
  const dropUndone = (step: number): void => {
    for (let last = standing.at(-1); last !== undefined && last.undoneAt <= step; last = standing.at(-1))
      standing.pop();
  };
  const writes = group.map((write) => {
    dropUndone(write.step);
    const before = standing.at(-1)?.value ?? initial;
    standing.push(write);
    return { write, before };
  });
  return { first, initial, writes, final: standing.findLast(({ isUndone }) => !isUndone)?.value ?? initial };
}

interface NamedSlot {
  readonly contract: string | undefined;
  readonly parts: readonly SlotPart[];
  readonly unnamedBecause: UnnamedReason | undefined;
}

class Names {
  readonly #read: WritesOfRecording;
  readonly #names = new Map<StorageLayout, { readonly storage: SlotNames; readonly transient: SlotNames }>();

  constructor(read: WritesOfRecording) {
    this.#read = read;
  }

  /**
   * Uses the layout of the contract that wrote. A library has none: then that of another contract with the same
   * storage.
   */
  of({ account, slot, isTransient, found }: StorageWrite): NamedSlot {
    const { contracts, implementations } = this.#read;
    const key = bytesKey(account);
    const others = contracts.get(key) ?? [];
    const proxied = implementations.get(key)?.contract.name;
    for (const each of found === undefined ? others : [found, ...others]) {
      const { contract } = each;
      const names = this.#namesOf(each);
      const parts = (isTransient ? names.transient : names.storage).parts(slot);
      if (parts.length > 0) return { contract: proxied ?? contract.name, parts, unnamedBecause: undefined };
    }
    const contract = proxied ?? found?.contract.name;
    const fixed = isTransient ? undefined : fixedSlotPart(slot);
    if (fixed !== undefined) return { contract, parts: [fixed], unnamedBecause: undefined };
    return { contract, parts: [], unnamedBecause: reasonOf(found?.contract.storage()) };
  }

  #namesOf({ contract, code }: FoundContract): { readonly storage: SlotNames; readonly transient: SlotNames } {
    const layout = contract.storage();
    let names = this.#names.get(layout);
    if (names === undefined) {
      const { preimages } = this.#read;
      const variables = [...layout.variables, ...layout.namespaces];
      const constants = (): readonly bigint[] => constantsOf([code.template.bytes], { selectors: true });
      names = {
        storage: new SlotNames(variables, preimages, constants),
        transient: new SlotNames(layout.transient, preimages, constants),
      };
      this.#names.set(layout, names);
    }
    return names;
  }
}

function reasonOf(layout: StorageLayout | undefined): UnnamedReason {
  if (layout === undefined) return "the contract is not known";
  return layout.isKnown
    ? "no variable is known to have this slot"
    : "the build has neither a storage layout nor an AST";
}

/** One change for each variable in the slot whose bits some write changed. */
function changesOf(slot: WrittenSlot, { contract, parts, unnamedBecause }: NamedSlot): readonly VariableChange[] {
  const { first, initial, final, writes } = slot;
  const shared = { account: first.account, contract, slot: first.slot, isTransient: first.isTransient };
  const part = (name: SlotPart | undefined): VariableChange | undefined => {
    const bits = (word: bigint): bigint =>
      name?.type?.kind === "value" ? scalarOf(name.type, word, name.offset) : word;
    const text = (word: bigint): string =>
      name === undefined ? wordText(word) : valueText(name.type, word, name.offset);
    const changing = writes.filter(({ write, before }) => bits(write.value) !== bits(before));
    if (changing.length === 0) return undefined;
    return {
      ...shared,
      name: name?.name,
      unnamedBecause,
      type: name?.type === undefined || !("label" in name.type) ? undefined : name.type.label,
      before: text(initial),
      after: text(final),
      writes: changing.map(({ write, before }) => {
        const { isApproximate, ...known } = writeOf(write, text(before), text(write.value));
        return { ...known, isApproximate: isApproximate || isOfAnother(write, name, parts) };
      }),
    };
  };
  const named = parts.length === 0 ? [part(undefined)] : parts.map(part);
  return named.filter((change) => change !== undefined);
}

/**
 * True if the source of a write names another variable of the slot, and not this one: the optimizer has made one of two
 * writes.
 */
function isOfAnother({ range }: StorageWrite, part: SlotPart | undefined, parts: readonly SlotPart[]): boolean {
  if (range === undefined || part === undefined) return false;
  const words = new Set(sourceText(range).match(/[\w$]+/g));
  const isNamed = ({ name }: SlotPart): boolean => {
    const path = name.match(/[\w$]+/g) ?? [];
    return [path[0], path.at(-1)].some((word) => word !== undefined && words.has(word));
  };
  return !isNamed(part) && parts.some(isNamed);
}

function writeOf(write: StorageWrite, before: string, after: string): VariableWrite {
  const { isUndone, frame, definition, range, isApproximate, found } = write;
  return {
    before,
    after,
    isUndone,
    callFrame: frame.index,
    function: functionName(definition ?? functionAround(range), found?.contract.name),
    file: range?.file.path,
    position: range?.file.positionOf(range.start),
    isApproximate,
  };
}

function functionName(definition: SourceFunction | undefined, contract: string | undefined): string | undefined {
  if (definition === undefined) return contract;
  const owner = definition.contract?.kind === "library" ? definition.contract.name : contract;
  return [owner, functionTitle(definition)].filter((name) => name !== undefined).join(".");
}
