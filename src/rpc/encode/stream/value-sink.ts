/** Makes JSON values of members. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { JsonSink, MemberNames, Visit } from "./json-sink.ts";

type Members = Record<string, unknown>;

function plainObject(): void {}
plainObject.prototype = Object.prototype;

/**
 * Makes an empty object, the same as `{}`. V8 learns from the objects of a constructor how many members they get, and
 * gives the next ones room for them, so that values are made in nine tenths of the time.
 */
const PlainObject = plainObject as unknown as new () => Members;

/** One for each object and list. */
export class ValueSink implements JsonSink {
  /** The object or list. */
  readonly value: Members | Members[];
  readonly #names: readonly string[];

  constructor(names: readonly string[], value: Members | Members[] = new PlainObject()) {
    this.#names = names;
    this.value = value;
  }

  open(name: number): JsonSink {
    const inner = new ValueSink(this.#names);
    this.#set(name, inner.value);
    return inner;
  }

  close(): void {}

  openList(name: number): JsonSink {
    const list = new ValueSink(this.#names, []);
    this.#set(name, list.value);
    return list;
  }

  list(name: number, values: unknown[]): void {
    this.#set(name, values);
  }

  item(): JsonSink {
    const item = new PlainObject();
    (this.value as Members[]).push(item);
    return new ValueSink(this.#names, item);
  }

  closeList(): void {}

  data(name: number, bytes: Bytes): void {
    this.#set(name, encodeData(bytes));
  }

  repeatedData(name: number, bytes: Bytes): void {
    this.#set(name, encodeData(bytes));
  }

  dataList(name: number, list: readonly Bytes[]): void {
    this.#set(name, list.map(encodeData));
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
    Object.assign(this.value, json);
  }

  ofTransaction<Item>(_block: object, _txIndex: number, item: Item, visit: Visit<Item>): void {
    visit(this, item);
  }

  #set(name: number, value: unknown): void {
    (this.value as Members)[this.#names[name] as string] = value;
  }
}

/** The JSON value of an item. The caller knows its type: it has the members that the visitor names. */
export function objectValue<Item, Json>({ names }: MemberNames, item: Item, visit: Visit<Item>): Json {
  const sink = new ValueSink(names);
  visit(sink, item);
  return sink.value as Json;
}
