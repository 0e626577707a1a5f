/**
 * The visitor of a format puts members into a sink, in the order of the answer: one sink makes values of them, for
 * programs, another writes text.
 */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { Fragments } from "./fragments.ts";

/** Adds the members of an object. */
export type Visit<Item> = (sink: JsonSink, item: Item) => void;

/** Takes the members of an object. A member's name is given by its index in the sink's {@link MemberNames}. */
export interface JsonSink {
  /** Begins an object that is a member; the returned sink takes its members. */
  open(name: number): JsonSink;
  /** Ends this object. */
  close(): void;
  /** Begins a list of objects; the returned sink takes them. */
  openList(name: number): JsonSink;
  /** Begins the next object of this list. */
  item(): JsonSink;
  /** Ends this list. */
  closeList(): void;
  data(name: number, bytes: Bytes): void;
  /** DATA of up to 32 bytes that is often equal in consecutive objects. */
  repeatedData(name: number, bytes: Bytes): void;
  /** The first one is often equal in consecutive objects, too. */
  dataList(name: number, list: readonly Bytes[]): void;
  /** A number is less than 2^32. */
  quantity(name: number, value: bigint | number): void;
  // Values that are JSON already.
  string(name: number, value: string): void;
  number(name: number, value: number): void;
  numbers(name: number, values: readonly number[]): void;
  literal(name: number, value: boolean | null): void;
  /** All members of an object that is JSON already. */
  members(json: object): void;
  /** Members that are equal in consecutive objects of one transaction. */
  ofTransaction<Item>(block: object, txIndex: number, item: Item, visit: Visit<Item>): void;
}

/** The names of a format's members, with the texts that begin a member. */
export class MemberNames<Name extends string = string> {
  readonly names: readonly Name[];
  /** Index of each name. */
  readonly index: Readonly<Record<Name, number>>;
  /** Beginnings of the first member of an object, and of a later one. */
  readonly first: Fragments;
  readonly later: Fragments;

  constructor(...names: readonly Name[]) {
    this.names = names;
    this.index = Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;
    this.first = Fragments.of(...names.map((name) => `"${name}":`));
    this.later = Fragments.of(...names.map((name) => `,"${name}":`));
  }
}
