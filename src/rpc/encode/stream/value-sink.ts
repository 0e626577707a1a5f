/** Makes JSON values of members. */
import { type Bytes, equalBytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { JsonSink, MemberNames, Visit } from "./json-sink.ts";

type Members = Record<string, unknown>;

function plainObject(): void {}
plainObject.prototype = Object.prototype;

/**
 * Makes an empty object, the same as `{}`. V8 learns from the objects of a constructor how many members they get, and
 * gives the next ones room for them, so that values are made in nine tenths of the time.
 */
const PlainObject = plainObject as unknown as new () => Members;

/** One for each answer, for all its objects and lists. */
export class ValueSink implements JsonSink {
  readonly #names: readonly string[];
  /** The objects and lists around the open one. */
  readonly #around: (Members | Members[])[] = [];
  /** The open object or list. */
  #open: Members | Members[];
  /** By name: the value that the member had last, and its text. */
  readonly #repeated: (Repeated | undefined)[] = [];

  /** @param value - the object or list of the answer */
  constructor({ names }: MemberNames, value: Members | Members[] = new PlainObject()) {
    this.#names = names;
    this.#open = value;
  }

  /** The open object or list: in the end that of the answer. */
  get value(): Members | Members[] {
    return this.#open;
  }

  open(name: number): JsonSink {
    return this.#enter(name, new PlainObject());
  }

  close(): void {
    this.#open = this.#around.pop() as Members | Members[];
  }

  openList(name: number): JsonSink {
    return this.#enter(name, []);
  }

  item(): JsonSink {
    const item = new PlainObject();
    (this.#open as Members[]).push(item);
    this.#around.push(this.#open);
    this.#open = item;
    return this;
  }

  closeList(): void {
    this.close();
  }

  data(name: number, bytes: Bytes): void {
    this.#set(name, encodeData(bytes));
  }

  repeatedData(name: number, bytes: Bytes): void {
    this.#set(name, this.#repeatedText(name, bytes));
  }

  dataList(name: number, list: readonly Bytes[]): void {
    const texts = list.map((bytes, index) => (index === 0 ? this.#repeatedText(name, bytes) : encodeData(bytes)));
    this.#set(name, texts);
  }

  quantity(name: number, value: bigint | number): void {
    this.#set(name, encodeQuantity(value));
  }

  string(name: number, value: string): void {
    this.#set(name, value);
  }

  number(name: number, value: number): void {
    this.#set(name, value);
  }

  numbers(name: number, values: readonly number[]): void {
    this.#set(name, [...values]);
  }

  literal(name: number, value: boolean | null): void {
    this.#set(name, value);
  }

  members(json: object): void {
    Object.assign(this.#open, json);
  }

  ofTransaction<Item>(_block: object, _txIndex: number, item: Item, visit: Visit<Item>): void {
    visit(this, item);
  }

  #enter(name: number, inner: Members | Members[]): this {
    this.#set(name, inner);
    this.#around.push(this.#open);
    this.#open = inner;
    return this;
  }

  #repeatedText(name: number, bytes: Bytes): Hex {
    const last = this.#repeated[name];
    if (last !== undefined && equalBytes(last.bytes, bytes)) return last.text;
    const text = encodeData(bytes);
    this.#repeated[name] = { bytes, text };
    return text;
  }

  #set(name: number, value: unknown): void {
    (this.#open as Members)[this.#names[name] as string] = value;
  }
}

interface Repeated {
  readonly bytes: Bytes;
  readonly text: Hex;
}

/** The JSON value of an item. The caller knows its type: it has the members that the visitor names. */
export function objectValue<Item, Json>(names: MemberNames, item: Item, visit: Visit<Item>): Json {
  const sink = new ValueSink(names);
  visit(sink, item);
  return sink.value as Json;
}

/** The JSON values of a list of items. */
export function listValue<Item, Json>(names: MemberNames, items: Iterable<Item>, visit: Visit<Item>): Json[] {
  const list: Members[] = [];
  const sink = new ValueSink(names, list);
  for (const item of items) {
    visit(sink.item(), item);
    sink.close();
  }
  return list as Json[];
}
