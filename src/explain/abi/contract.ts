/** The ABI of a contract, indexed by selectors and topics. */
import { bytesKey } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { once } from "../../primitives/once.ts";
import type { SourceMatch } from "../source/build.ts";
import { type AbiItem, type AbiParameter, signatureOf } from "./abi-item.ts";

/** An event of an ABI. */
export interface EventEntry {
  readonly item: AbiItem;
  /** Parameters in the data. */
  readonly plain: readonly AbiParameter[];
  /** Parameters in the topics. */
  readonly indexed: readonly AbiParameter[];
}

interface Tables {
  readonly functions: ReadonlyMap<string, AbiItem>;
  readonly errors: ReadonlyMap<string, AbiItem>;
  readonly events: ReadonlyMap<string, readonly EventEntry[]>;
}

/** Bytes of a selector. */
export const SELECTOR_BYTES = 4;

/** Functions and errors by selector, events by first topic. They are hashed when the first one is looked up. */
export class Contract {
  readonly name: string | undefined;
  readonly items: readonly AbiItem[];
  /** How its source matches the code, if a server gave it. */
  readonly sourceMatch: SourceMatch | undefined;
  readonly #tables: () => Tables;

  /** @internal */
  constructor(name: string | undefined, items: readonly AbiItem[], sourceMatch?: SourceMatch) {
    this.sourceMatch = sourceMatch;
    this.name = name;
    this.items = items;
    this.#tables = once(() => tablesOf(items));
  }

  get functions(): ReadonlyMap<string, AbiItem> {
    return this.#tables().functions;
  }

  get errors(): ReadonlyMap<string, AbiItem> {
    return this.#tables().errors;
  }

  get events(): ReadonlyMap<string, readonly EventEntry[]> {
    return this.#tables().events;
  }

  get constructorItem(): AbiItem | undefined {
    return this.items.find(({ kind }) => kind === "constructor");
  }
}

function tablesOf(items: readonly AbiItem[]): Tables {
  const functions = new Map<string, AbiItem>();
  const errors = new Map<string, AbiItem>();
  const events = new Map<string, EventEntry[]>();
  for (const item of items) {
    if (item.kind === "constructor") continue;
    const hash = keccak256(new TextEncoder().encode(signatureOf(item)));
    const selector = bytesKey(hash.subarray(0, SELECTOR_BYTES));
    if (item.kind === "function") functions.set(selector, item);
    else if (item.kind === "error") errors.set(selector, item);
    else if (!item.isAnonymous) {
      const key = bytesKey(hash);
      const same = events.get(key);
      if (same === undefined) events.set(key, [makeEvent(item)]);
      else same.push(makeEvent(item));
    }
  }
  return { functions, errors, events };
}

function makeEvent(item: AbiItem): EventEntry {
  const { inputs } = item;
  return {
    item,
    plain: inputs.filter(({ isIndexed }) => !isIndexed),
    indexed: inputs.filter(({ isIndexed }) => isIndexed),
  };
}
