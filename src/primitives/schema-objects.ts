/** Schemas of objects: of members that are known by name, and of any. */
import { type InputOf, type OutputOf, Problem, Schema } from "./schema.ts";

/** An object whose members have names of any kind, as a list of them. */
export function entriesOf<Output, Input>(
  values: Schema<Output, Input>,
  shape = "expected an object",
): Schema<[name: string, value: Output][], Record<string, Input>> {
  const read = (value: unknown): [string, Output][] | Problem => {
    if (!isPlainObject(value)) return new Problem(shape);
    const entries: [string, Output][] = [];
    for (const [name, member] of Object.entries(value)) {
      // Never set on another object, of which it would change the prototype.
      if (name === "__proto__") continue;
      const output = values.read(member);
      if (output instanceof Problem) return output.under(name);
      entries.push([name, output]);
    }
    return entries;
  };
  return new Schema(read, (tell) => ({ type: "object", additionalProperties: tell(values) }));
}

/** The same as an object. */
export function record<Output, Input>(
  values: Schema<Output, Input>,
  shape?: string,
): Schema<Record<string, Output>, Record<string, Input>> {
  return entriesOf(values, shape).to((entries) => Object.fromEntries(entries));
}

type Members = Readonly<Record<string, Schema<unknown>>>;
type Flat<T> = { [Name in keyof T]: T[Name] };
/** Members that may be undefined may be missing. */
type WithOptional<T> = Flat<
  { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
    [Name in keyof T as undefined extends T[Name] ? Name : never]?: T[Name];
  }
>;
type ObjectInput<M extends Members> = WithOptional<{ -readonly [Name in keyof M]: InputOf<M[Name]> }>;
type ObjectOutput<M extends Members> = WithOptional<{ -readonly [Name in keyof M]: OutputOf<M[Name]> }>;

/** An object of these members; others are left out. */
export function object<const M extends Members>(
  members: M,
  shape = "expected an object",
): Schema<ObjectOutput<M>, ObjectInput<M>> {
  const list = Object.entries(members).map(([name, schema]) => ({ name, schema }));
  const read = (value: unknown): ObjectOutput<M> | Problem => {
    if (!isObject(value)) return new Problem(shape);
    const found: Record<string, unknown> = {};
    for (const { name, schema } of list) {
      const output = schema.read(value[name]);
      if (output instanceof Problem) return output.under(name);
      found[name] = output;
    }
    return found as ObjectOutput<M>;
  };
  return new Schema(read, (tell) => {
    const required = list.filter(({ schema }) => schema.read(undefined) instanceof Problem).map(({ name }) => name);
    const properties = Object.fromEntries(list.map(({ name, schema }) => [name, tell(schema)]));
    return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
  });
}

/** An object of these members and no others. */
export function strictObject<const M extends Members>(
  members: M,
  shape?: string,
): Schema<ObjectOutput<M>, ObjectInput<M>> {
  const loose = object(members, shape);
  const read = (value: unknown): ObjectOutput<M> | Problem => {
    const output = loose.read(value);
    if (output instanceof Problem) return output;
    const others = Object.keys(value as object).filter((name) => !Object.hasOwn(members, name));
    if (others.length === 0) return output;
    return new Problem(`expected no member ${others.map((name) => JSON.stringify(name)).join(", ")}`, [], others);
  };
  return new Schema(read, (tell) => ({ ...loose.describe(tell), additionalProperties: false }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What JSON makes: no Map, no Date, whose members are not what they hold. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const { constructor: maker } = value;
  if (typeof maker !== "function") return true;
  return isObject(maker.prototype) && Object.hasOwn(maker.prototype, "isPrototypeOf");
}
