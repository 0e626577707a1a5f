/**
 * Parses values by a zod schema, but faster than zod: it does not collect the reasons for a failure.
 *
 * It calls the checks and transforms of the schema itself. For kinds of schemas that it does not know it calls zod. No other file
 * looks into schemas: their insides, `_zod`, are described for libraries that build on zod, and may change with it.
 *
 * @see https://zod.dev/packages/core
 */
import type { z } from "zod";
import { PARSING } from "./schema-issue.ts";

/** Result for an invalid value. Parse the value with zod to get the reason. */
export const REFUSED: unique symbol = Symbol("refused");

/** Returns the parsed value, or {@link REFUSED} if it is invalid. */
export type QuickReader = (value: unknown) => unknown;

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes["_zod"]["def"];

/** Stands for a list or an object that was read ahead, entry by entry, in the value around it. */
export class ReadAhead {
  readonly value: unknown;
  readonly #given: unknown;

  /**
   * @param value - as its schema, without checks of the whole, makes it
   * @param given - as received
   */
  constructor(value: unknown, given: unknown) {
    this.value = value;
    this.#given = given;
  }

  /** Two names of one member are compared as JSON. */
  toJSON(): unknown {
    return this.#given;
  }
}

const readers = new WeakMap<Schema, QuickReader>();

/** Returns the reader of a schema. It is created on first use. */
export function quickReader(schema: Schema): QuickReader {
  const known = readers.get(schema);
  if (known !== undefined) return known;
  const reader = withChecks(schema, readerOf(schema));
  readers.set(schema, reader);
  return reader;
}

function readerOf(schema: Schema): QuickReader {
  const def = schema._zod.def as Def;
  // The schema of a format such as z.int() is also the check.
  if (schema._zod.traits.has("$ZodCheck")) return readByZod(schema);
  switch (def.type) {
    case "string":
      return def.coerce === true ? readByZod(schema) : (value) => (typeof value === "string" ? value : REFUSED);
    case "boolean":
      return def.coerce === true ? readByZod(schema) : (value) => (typeof value === "boolean" ? value : REFUSED);
    case "unknown":
      return (value) => value;
    case "optional": {
      if (def.innerType._zod.optin === "defaulted") return readByZod(schema);
      const inner = quickReader(def.innerType);
      return (value) => (value === undefined ? undefined : inner(value));
    }
    case "nullable": {
      const inner = quickReader(def.innerType);
      return (value) => (value === null ? null : inner(value));
    }
    case "array":
      return readArray(quickReader(def.element));
    case "tuple":
      return readTuple(schema, def);
    case "union": {
      const options = def.options.map(quickReader);
      return (value) => {
        for (const read of options) {
          const result = read(value);
          if (result !== REFUSED) return result;
        }
        return REFUSED;
      };
    }
    case "record":
      return readRecord(schema, def);
    case "object":
      return readObject(schema, def);
    case "pipe":
      return readPipe(schema, def);
    default:
      return readByZod(schema);
  }
}

function readByZod(schema: Schema): QuickReader {
  return (value) => {
    const parsed = (schema as z.ZodType).safeParse(value, PARSING);
    return parsed.success ? parsed.data : REFUSED;
  };
}

function readArray(element: QuickReader): QuickReader {
  return (list) => {
    if (list instanceof ReadAhead) return list.value;
    if (!Array.isArray(list)) return REFUSED;
    const values: unknown[] = [];
    for (const entry of list) {
      const value = element(entry);
      if (value === REFUSED) return REFUSED;
      values.push(value);
    }
    return values;
  };
}

/** The schemas of the parts of a value, where those are read one by one here, and not by zod. */
export type Parts =
  | { readonly kind: "whole"; readonly schema: Schema }
  | { readonly kind: "list" | "record"; readonly element: Schema }
  | { readonly kind: "tuple"; readonly items: readonly Schema[] }
  | { readonly kind: "object"; readonly members: Readonly<Record<string, Schema>> };

/** The parts of a schema's values; undefined for values without such parts. */
export function partsOf(schema: Schema): Parts | undefined {
  const def = schema._zod.def as Def;
  switch (def.type) {
    case "optional":
    case "nullable":
      return { kind: "whole", schema: def.innerType };
    case "pipe":
      return { kind: "whole", schema: def.in };
    case "array":
      return { kind: "list", element: def.element };
    case "record":
      return { kind: "record", element: def.valueType };
    case "tuple":
      return readsItems(def) ? { kind: "tuple", items: def.items } : undefined;
    case "object":
      return readsMembers(def) ? { kind: "object", members: def.shape } : undefined;
    default:
      return undefined;
  }
}

/** Whether the items of a tuple are read one by one here, and not by zod. */
function readsItems({ items, rest }: z.core.$ZodTupleDef): boolean {
  return rest === null && items.every(({ _zod: item }) => item.optin === undefined);
}

function readTuple(schema: Schema, def: z.core.$ZodTupleDef): QuickReader {
  if (!readsItems(def)) return readByZod(schema);
  const items = def.items.map(quickReader);
  return (list) => {
    if (!Array.isArray(list) || list.length !== items.length) return REFUSED;
    const values: unknown[] = [];
    for (const [index, read] of items.entries()) {
      const value = read(list[index]);
      if (value === REFUSED) return REFUSED;
      values.push(value);
    }
    return values;
  };
}

/** An object with names of any text. */
function readRecord(schema: Schema, { keyType, valueType, mode }: z.core.$ZodRecordDef): QuickReader {
  const names = keyType._zod.def;
  const isPlain = names.type === "string" && names.checks === undefined && mode !== "loose";
  if (!isPlain || valueType._zod.optin !== undefined) return readByZod(schema);
  const read = quickReader(valueType);
  return (given) => {
    if (given instanceof ReadAhead) return given.value;
    if (!isPlainObject(given)) return REFUSED;
    const values: Record<string, unknown> = {};
    for (const name of Object.keys(given)) {
      if (name === "__proto__") continue;
      const value = read(given[name]);
      if (value === REFUSED) return REFUSED;
      values[name] = value;
    }
    return values;
  };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether the members of an object are read one by one here, and not by zod. */
function readsMembers({ shape, catchall }: z.core.$ZodObjectDef): boolean {
  // Objects whose members have default values are parsed by zod.
  const isPlain = Object.values(shape).every(({ _zod: member }) => member.optin === undefined || isOptional(member));
  return isPlain && (catchall === undefined || catchall._zod.def.type === "never");
}

/** Drops members that are not in the shape, or refuses them, as zod does. */
function readObject(schema: Schema, def: z.core.$ZodObjectDef): QuickReader {
  if (!readsMembers(def)) return readByZod(schema);
  const { shape, catchall } = def;
  const entries = Object.entries(shape);
  const members = entries.map(([key, member]) => ({
    key,
    isOptional: isOptional(member._zod),
    read: quickReader(member),
  }));
  return (given) => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return REFUSED;
    const values: Record<string, unknown> = {};
    for (const { key, isOptional: mayMiss, read } of members) {
      if (!(key in given)) {
        if (mayMiss) continue;
        return REFUSED;
      }
      const value = read((given as Record<string, unknown>)[key]);
      if (value === REFUSED) return REFUSED;
      values[key] = value;
    }
    if (catchall !== undefined && Object.keys(given).some((name) => !(name in shape))) return REFUSED;
    return values;
  };
}

function isOptional(member: Schema["_zod"]): boolean {
  return member.optin === "optional" && member.optout === "optional";
}

function readPipe(schema: Schema, def: z.core.$ZodPipeDef): QuickReader {
  const out = def.out._zod.def as Def;
  // Transforms of a codec have a different form.
  if (def.transform !== undefined || out.type !== "transform" || out.checks !== undefined) return readByZod(schema);
  const read = quickReader(def.in);
  return (given) => {
    const value = read(given);
    if (value === REFUSED) return REFUSED;
    const issues: unknown[] = [];
    const context = { value, issues, addIssue: (issue: unknown) => void issues.push(issue) };
    const result = out.transform(value, context as unknown as z.core.ParsePayload);
    return issues.length === 0 ? result : REFUSED;
  };
}

/** Adds the schema's checks to a reader, such as those of `refine`. */
function withChecks(schema: Schema, read: QuickReader): QuickReader {
  const checks = schema._zod.def.checks ?? [];
  if (checks.length === 0) return read;
  return (given) => {
    const payload: z.core.ParsePayload<never> = { value: read(given) as never, issues: [] };
    if ((payload.value as unknown) === REFUSED) return REFUSED;
    for (const check of checks) {
      if (check._zod.def.when?.(payload) === false) continue;
      check._zod.check(payload);
      if (payload.issues.length > 0) return REFUSED;
    }
    return payload.value;
  };
}
