/**
 * Parses values by a zod schema, but faster than zod: it does not collect the reasons for a failure.
 *
 * It calls the checks and transforms of the schema itself. For kinds of schemas that it does not know it calls zod. No other file
 * looks into schemas: their insides, `_zod`, are described for libraries that build on zod, and may change with it.
 *
 * @see https://zod.dev/packages/core
 */
import type { z } from "zod";
import { PARSING_TO_FIRST_ISSUE } from "./schema-issue.ts";

/** Result for an invalid value. Parse the value with zod to get the reason. */
export const REFUSED: unique symbol = Symbol("refused");

/** Returns the parsed value, or {@link REFUSED} if it is invalid. */
export type QuickReader = (value: unknown) => unknown;

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes["_zod"]["def"];

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
    const parsed = (schema as z.ZodType).safeParse(value, PARSING_TO_FIRST_ISSUE);
    return parsed.success ? parsed.data : REFUSED;
  };
}

function readArray(element: QuickReader): QuickReader {
  return (list) => {
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

/** Drops members that are not in the shape, as zod does. */
function readObject(schema: Schema, { shape, catchall }: z.core.$ZodObjectDef): QuickReader {
  const entries = Object.entries(shape);
  // Objects whose members have default values are parsed by zod.
  const isPlain = entries.every(([, { _zod: member }]) => member.optin === undefined || isOptional(member));
  if (catchall !== undefined || !isPlain) return readByZod(schema);
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
  // Schemas with checks that run only on some values are parsed by zod.
  if (checks.some((check) => check._zod.def.when !== undefined)) return readByZod(schema);
  return (given) => {
    const payload: z.core.ParsePayload<never> = { value: read(given) as never, issues: [] };
    if ((payload.value as unknown) === REFUSED) return REFUSED;
    for (const check of checks) {
      check._zod.check(payload);
      if (payload.issues.length > 0) return REFUSED;
    }
    return payload.value;
  };
}
