/** Objects whose members are not dropped in silence when their names are written in another way. */
import { z } from "zod";
import { nameHint, nearestName } from "../../primitives/validation/nearest-name.ts";
import { quickReader, REFUSED } from "../../primitives/validation/quick-reader.ts";
import { PARSING } from "../../primitives/validation/schema-issue.ts";
import { isObject } from "../../primitives/validation/shape.ts";

/** The names that an object takes, and what happens to others. */
export interface NamedMembersOptions {
  /** Other names of members, each with the name in the schema. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Names of other clients' members without an effect here. They are ignored even if they are nearly known ones. */
  readonly ignored?: readonly string[];
  /** Refuses members that are not nearly known either; default: they are ignored, as in geth. */
  readonly refusesOthers?: boolean;
}

/** By the schema that checks it: the object with all names, for tools that describe schemas. */
const objects = new WeakMap<z.core.$ZodType, z.ZodObject>();

/** The object that a schema of {@link namedMembers} reads; undefined for any other schema. */
export function objectReadBy(schema: z.core.$ZodType): z.ZodObject | undefined {
  return objects.get(schema);
}

/**
 * Parses an object by a schema that drops unknown members. Names are taken without regard to case, as by geth's
 * decoder; a name that is nearly a known one is refused with it. Two names of one member must have the same value.
 */
export function namedMembers<Shape extends z.ZodRawShape>(
  members: z.ZodObject<Shape>,
  { aliases = {}, ignored = [], refusesOthers = false }: NamedMembersOptions = {},
) {
  const names = [...Object.keys(members.shape), ...Object.keys(aliases)];
  const known = new Map(names.map((name) => [name.toLowerCase(), aliases[name] ?? name]));
  const schema = z.unknown().transform((value, context): z.output<z.ZodObject<Shape>> => {
    /** By the name in the schema: the name in the request. */
    const written = new Map<string, string>();
    const given = isObject(value) ? value : {};
    for (const name of Object.keys(given)) {
      const member = known.get(name.toLowerCase());
      if (member === undefined) {
        if (!refusesOthers && (ignored.includes(name) || nearestName(name, names) === undefined)) continue;
        context.issues.push({ code: "unrecognized_keys", keys: [name], message: nameHint(name, names), input: given });
        // In spite of that kind of issue alone, zod runs the transforms that follow.
        context.issues.push({ code: "custom", message: "expected no such member", input: given });
        return z.NEVER;
      }
      const other = written.get(member);
      if (other !== undefined && !agree(given[name], given[other])) {
        const message = `expected the same value as that of ${other}, another name of this member`;
        context.issues.push({ code: "custom", message, path: [name], input: value });
        return z.NEVER;
      }
      if (other === undefined || isGiven(given[name])) written.set(member, name);
    }
    const read = isObject(value)
      ? Object.fromEntries([...written].map(([member, name]) => [member, given[name]]))
      : value;
    const quick = quickReader(members)(read);
    if (quick !== REFUSED) return quick as z.output<z.ZodObject<Shape>>;
    for (const issue of members.safeParse(read, PARSING).error?.issues ?? []) {
      const [member, ...inside] = issue.path;
      const path = member === undefined ? [] : [written.get(String(member)) ?? member, ...inside];
      context.issues.push({ ...issue, path, input: value } as z.core.$ZodRawIssue);
    }
    return z.NEVER;
  });
  const others = Object.entries(aliases).map(([alias, name]) => [alias, members.shape[name]]);
  objects.set(schema, others.length === 0 ? members : members.extend(Object.fromEntries(others)));
  return schema;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** True unless both are given and differ. */
function agree(one: unknown, other: unknown): boolean {
  return !isGiven(one) || !isGiven(other) || JSON.stringify(one) === JSON.stringify(other);
}
