/**
 * Reads the long lists of a param entry by entry, yielding to the event loop, so that the whole can then be read at once.
 *
 * Schemas that are functions over a list or an object say here how its entries are read: {@link readsEntries}.
 */
import type { z } from "zod";
import { Breaks } from "../platform/turns.ts";
import { partsOf, quickReader, REFUSED, ReadAhead } from "./quick-reader.ts";
import { PARSING } from "./schema-issue.ts";
import { isObject } from "./shape.ts";

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

/** Values of a param that are read without yielding. */
const VALUES_AT_ONCE = 500;

/** How a schema that is a function finds schemas for the parts of a value. */
export interface Entries {
  /** The schema of the whole value, if it may be read in place of this one up to here. */
  readonly schemaOf?: (value: unknown) => Schema | undefined;
  /** The schema of a member by its name in the request. */
  readonly memberOf?: (name: string) => Schema | undefined;
  /** Collects the members of an object with any names. */
  readonly collector?: () => Collector;
}

/** Makes a value of the members of an object. */
export interface Collector {
  /** The issue of a member's name; undefined if there is none. */
  problemOf(name: string, member: unknown): z.core.$ZodRawIssue | undefined;
  /** The issue of a member; undefined if it was added. */
  add(name: string, member: unknown): z.core.$ZodRawIssue | undefined;
  readonly member: Schema;
  take(): unknown;
}

const entriesOf = new WeakMap<Schema, Entries>();

/** Says how the entries of a schema's value are read. Returns the schema. */
export function readsEntries<Known extends Schema>(schema: Known, entries: Entries): Known {
  entriesOf.set(schema, entries);
  return schema;
}

/** A value whose long lists and objects were read. */
export interface ReadValue {
  /** With what was read in their place. */
  readonly value: unknown;
  /** With only the first entry of each, for the error if something else is wrong. */
  readonly short: unknown;
}

/** An entry that its schema refuses. */
export interface RefusedEntry {
  readonly issue: z.core.$ZodIssue;
}

/** Reads what is long in a value. */
export async function readInTurns(schema: Schema, value: unknown): Promise<ReadValue | RefusedEntry> {
  try {
    return await new TurnReader().read(schema, value, []);
  } catch (error) {
    if (error instanceof Refusal) return { issue: error.issue };
    throw error;
  }
}

class Refusal extends Error {
  readonly issue: z.core.$ZodIssue;

  constructor(issue: z.core.$ZodIssue) {
    super();
    this.issue = issue;
  }
}

class TurnReader {
  readonly #breaks = new Breaks();

  async read(schema: Schema, value: unknown, path: Path): Promise<ReadValue> {
    const entries = entriesOf.get(schema);
    const unchanged = { value, short: value };
    if (typeof value !== "object" || value === null || !isLong(value)) return unchanged;
    const inner = entries?.schemaOf?.(value);
    if (inner !== undefined) return this.read(inner, value, path);
    if (entries?.collector !== undefined && isObject(value)) return this.#collect(entries.collector(), value, path);
    if (entries?.memberOf !== undefined && isObject(value)) return this.#members(entries.memberOf, value, path);
    const parts = partsOf(schema);
    switch (parts?.kind) {
      case "whole":
        return this.read(parts.schema, value, path);
      case "list":
        return Array.isArray(value) ? this.#list(parts.element, value, path) : unchanged;
      case "tuple":
        return Array.isArray(value) ? this.#tuple(parts.items, value, path) : unchanged;
      case "record":
        return isObject(value) ? this.#record(parts.element, value, path) : unchanged;
      case "object":
        return isObject(value) ? this.#members((name) => parts.members[name], value, path) : unchanged;
      default:
        return unchanged;
    }
  }

  async #list(element: Schema, list: readonly unknown[], path: Path): Promise<ReadValue> {
    const values: unknown[] = [];
    for (const [index, entry] of list.entries()) values.push(await this.#entry(element, entry, [...path, index]));
    return { value: new ReadAhead(values, list), short: list.slice(0, 1) };
  }

  async #tuple(items: readonly Schema[], list: readonly unknown[], path: Path): Promise<ReadValue> {
    const value = [...list.slice(0, items.length + 1)];
    const short = [...value];
    for (const [index, schema] of items.entries()) {
      if (!isLong(list[index])) continue;
      const read = await this.read(schema, list[index], [...path, index]);
      value[index] = read.value;
      short[index] = read.short;
    }
    return { value, short };
  }

  async #record(element: Schema, members: Readonly<Record<string, unknown>>, path: Path): Promise<ReadValue> {
    const values: Record<string, unknown> = {};
    const names = Object.keys(members).filter((name) => name !== "__proto__");
    for (const name of names) values[name] = await this.#entry(element, members[name], [...path, name]);
    return { value: new ReadAhead(values, members), short: firstOf(members) };
  }

  /** The parsed entry. */
  async #entry(schema: Schema, entry: unknown, path: Path): Promise<unknown> {
    const { value, short } = isLong(entry) ? await this.read(schema, entry, path) : { value: entry, short: entry };
    const read = quickReader(schema)(value);
    if (read === REFUSED) this.#refuse(schema, { short, entry }, path);
    const turn = this.#breaks.check();
    if (turn !== undefined) await turn;
    return read;
  }

  #refuse(schema: Schema, { short, entry }: { short: unknown; entry: unknown }, path: Path): never {
    const known = schema as z.ZodType;
    const { error } = known.safeParse(short, PARSING);
    const [issue] = (error ?? (known.safeParse(entry, PARSING).error as z.ZodError)).issues as [z.core.$ZodIssue];
    throw new Refusal({ ...issue, path: [...path, ...issue.path] });
  }

  async #collect(collector: Collector, members: Readonly<Record<string, unknown>>, path: Path): Promise<ReadValue> {
    const check = (issue: z.core.$ZodRawIssue | undefined): void => {
      if (issue === undefined) return;
      throw new Refusal({ ...issue, path: [...path, ...(issue.path ?? [])] } as z.core.$ZodIssue);
    };
    for (const name of Object.keys(members)) {
      const member = members[name];
      check(collector.problemOf(name, member));
      const { value, short } = isLong(member)
        ? await this.read(collector.member, member, [...path, name])
        : { value: member, short: member };
      check(collector.add(name, value) && (collector.add(name, short) ?? collector.add(name, member)));
      const turn = this.#breaks.check();
      if (turn !== undefined) await turn;
    }
    return { value: new ReadAhead(collector.take(), members), short: firstOf(members) };
  }

  async #members(
    schemaOf: (name: string) => Schema | undefined,
    members: Readonly<Record<string, unknown>>,
    path: Path,
  ): Promise<ReadValue> {
    const value: Record<string, unknown> = { ...members };
    const short: Record<string, unknown> = { ...members };
    for (const [name, member] of Object.entries(members)) {
      const schema = schemaOf(name);
      if (schema === undefined || !isLong(member)) continue;
      const read = await this.read(schema, member, [...path, name]);
      value[name] = read.value;
      short[name] = read.short;
    }
    return { value, short };
  }
}

function firstOf(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  for (const name in members) return { [name]: members[name] };
  return {};
}

/** Lists and objects found to be long, since listing the members of a large object takes milliseconds. */
const longValues = new WeakSet<object>();

/** Whether a value has more than {@link VALUES_AT_ONCE} in it. */
function isLong(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (longValues.has(value)) return true;
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (typeof each !== "object" || each === null || ArrayBuffer.isView(each)) continue;
    const inside = Array.isArray(each) ? each : Object.values(each);
    count += inside.length;
    if (count > VALUES_AT_ONCE) {
      longValues.add(value);
      if (inside.length > VALUES_AT_ONCE) longValues.add(each);
      return true;
    }
    for (const one of inside) waiting.push(one);
  }
  return false;
}
