/** Writes members as JSON text. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { Fragments } from "./fragments.ts";
import type { JsonSink, MemberNames, Visit } from "./json-sink.ts";
import { RepeatedData } from "./repeated-data.ts";
import { TextWriter } from "./text-writer.ts";

const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
/** Upper bound of the bytes of an integer and a comma. */
const NUMBER_BYTES = 17;

/** One for each answer, for all its objects and lists. */
export class TextSink implements JsonSink {
  readonly writer = new TextWriter();
  readonly #first: Fragments;
  readonly #later: Fragments;
  /** By name: the value that the member had last. */
  readonly #repeated: readonly RepeatedData[];
  /** The text of the members of the last transaction, as long as the writer's buffer has it. */
  readonly #ofTransaction = {
    block: undefined as object | undefined,
    txIndex: 0,
    /** Pieces taken before it. */
    taken: 0,
    start: 0,
    end: 0,
  };
  /** True if the open object or list has nothing in it yet. */
  #isEmpty = true;

  constructor({ names, first, later }: MemberNames) {
    this.#first = first;
    this.#later = later;
    this.#repeated = names.map(() => new RepeatedData());
  }

  open(name: number): JsonSink {
    this.#begin(name);
    this.#byte(OPENING_BRACE);
    this.#isEmpty = true;
    return this;
  }

  close(): void {
    this.#byte(CLOSING_BRACE);
    this.#isEmpty = false;
  }

  openList(name: number): JsonSink {
    this.#begin(name);
    this.#byte(OPENING_BRACKET);
    this.#isEmpty = true;
    return this;
  }

  item(): JsonSink {
    this.writer.reserve(0);
    if (!this.#isEmpty) this.#byte(COMMA);
    this.#byte(OPENING_BRACE);
    this.#isEmpty = true;
    return this;
  }

  closeList(): void {
    this.#byte(CLOSING_BRACKET);
    this.#isEmpty = false;
  }

  data(name: number, bytes: Bytes): void {
    this.#begin(name);
    this.writer.data(bytes);
  }

  repeatedData(name: number, bytes: Bytes): void {
    this.#begin(name);
    (this.#repeated[name] as RepeatedData).write(this.writer, bytes);
  }

  dataList(name: number, list: readonly Bytes[]): void {
    this.#begin(name);
    const { writer } = this;
    this.#byte(OPENING_BRACKET);
    for (let index = 0; index < list.length; index++) {
      if (index === 0) (this.#repeated[name] as RepeatedData).write(writer, list[0] as Bytes);
      else {
        this.#byte(COMMA);
        writer.data(list[index] as Bytes);
      }
    }
    this.#byte(CLOSING_BRACKET);
  }

  quantity(name: number, value: bigint | number): void {
    this.#begin(name);
    if (typeof value === "bigint") this.writer.quantity(value);
    else this.writer.smallQuantity(value);
  }

  string(name: number, value: string): void {
    this.#begin(name);
    this.writer.string(value);
  }

  number(name: number, value: number): void {
    this.#begin(name);
    this.writer.number(value);
  }

  literal(name: number, value: boolean | null): void {
    this.#begin(name);
    this.writer.text(String(value));
  }

  numbers(name: number, values: readonly number[]): void {
    this.#begin(name);
    const { writer } = this;
    writer.reserve(NUMBER_BYTES * values.length);
    this.#byte(OPENING_BRACKET);
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.#byte(COMMA);
      writer.number(values[index] as number);
    }
    this.#byte(CLOSING_BRACKET);
  }

  members(json: object): void {
    const text = JSON.stringify(json).slice(1, -1);
    if (text === "") return;
    if (!this.#isEmpty) this.#byte(COMMA);
    this.writer.unicode(text);
    this.#isEmpty = false;
  }

  ofTransaction<Item>(block: object, txIndex: number, item: Item, visit: Visit<Item>): void {
    const { writer } = this;
    const last = this.#ofTransaction;
    if (last.block === block && last.txIndex === txIndex && last.taken === writer.taken && !this.#isEmpty) {
      writer.copy(writer.bytes, writer.view, last.start, last.end);
      return;
    }
    last.start = writer.at;
    visit(this, item);
    last.end = writer.at;
    last.block = block;
    last.txIndex = txIndex;
    last.taken = writer.taken;
  }

  #begin(name: number): void {
    this.writer.fragment(this.#isEmpty ? this.#first : this.#later, name);
    this.#isEmpty = false;
  }

  #byte(byte: number): void {
    const { writer } = this;
    writer.bytes[writer.at++] = byte;
  }
}

/** The text of an object in pieces: one after each step of the visitor, if it is long enough. */
export function* objectPieces(names: MemberNames, visit: (sink: JsonSink) => Iterable<void>): Generator<string> {
  const sink = new TextSink(names);
  const { writer } = sink;
  sink.item();
  for (const _ of visit(sink)) if (writer.isFull) yield writer.takePiece();
  sink.close();
  yield writer.takePiece();
}

/** The text of a list of objects in pieces. Each object is visited when it is written. */
export function* listPieces<Item>(names: MemberNames, items: Iterable<Item>, visit: Visit<Item>): Generator<string> {
  const sink = new TextSink(names);
  const { writer } = sink;
  writer.text("[");
  for (const item of items) {
    visit(sink.item(), item);
    sink.close();
    if (writer.isFull) yield writer.takePiece();
  }
  writer.text("]");
  yield writer.takePiece();
}
