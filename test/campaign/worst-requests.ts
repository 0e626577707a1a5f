/**
 * The largest requests that a node's limits let in, made from the document of its methods: in each, one list is at its
 * longest, one text at its largest or one number at an extreme. Everything else is as in the method's example.
 */
import type { OpenRpcDocument } from "../../src/rpc/openrpc/document-shape.ts";
import type { JsonSchema } from "../../src/rpc/openrpc/json-schema.ts";

/** One request. */
export interface WorstRequest {
  readonly method: string;
  /** The place that is at its largest, such as `params[0].address[]`. */
  readonly place: string;
  readonly params: readonly unknown[];
}

/** How large requests may be. */
export interface RequestBounds {
  /** Most values: lists, objects, texts, numbers and literals. */
  readonly values: number;
  /** Most characters of a text. */
  readonly characters: number;
  /** In every place, too: lists in lists, and objects in objects, to this depth. Default: none. */
  readonly nesting?: number;
}

/** A value in place of the example's, with the place that is large in it. */
interface Grown {
  readonly place: string;
  readonly value: unknown;
}

/** Nesting of schemas that is looked into: a call in a block of a sequence is 4 deep. */
const MAX_DEPTH = 7;
const EXTREMES = ["0x0", "0xffffffffffffffff", `0x${"ff".repeat(32)}`];

/** All requests of a document's methods. */
export function* worstRequests(
  { methods, components }: OpenRpcDocument,
  bounds: RequestBounds,
): Generator<WorstRequest, void, undefined> {
  const growing = new Growing(components.schemas, bounds);
  for (const { name: method, params, examples } of methods) {
    const given = (examples?.[0]?.params ?? []).map(({ value }: { readonly value: unknown }) => value);
    const base = params.map(({ schema }, index) => given[index] ?? growing.sample(schema));
    for (const [index, { schema }] of params.entries()) {
      for (const { place, value } of growing.grow(schema, base[index], 0)) {
        yield { method, place: `params[${index}]${place}`, params: base.with(index, value) };
      }
    }
  }
}

/** The parts of JSON Schema that the document uses. */
interface Known {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

class Growing {
  readonly #named: Readonly<Record<string, JsonSchema>>;
  readonly #bounds: RequestBounds;
  /** Of values that have to differ. */
  #next = 0;
  #nests: readonly Grown[] | undefined;

  constructor(named: Readonly<Record<string, JsonSchema>>, bounds: RequestBounds) {
    this.#named = named;
    this.#bounds = bounds;
  }

  /** A small value of a schema, another one each time where its form allows that. */
  sample(schema: JsonSchema, depth = 0): unknown {
    const known = this.#resolve(schema);
    const { anyOf, enum: values, pattern, items, minItems = 0, properties = {}, required = [] } = known;
    if ("const" in known) return known.const;
    if (values !== undefined) return values[0];
    const [first] = anyOf ?? [];
    if (first !== undefined) return this.sample(first, depth + 1);
    if (pattern !== undefined) return this.#textOf(pattern);
    switch (typeOf(known)) {
      case "boolean":
        return true;
      case "integer":
      case "number":
        return Math.max(known.minimum ?? 0, 1);
      case "string":
        return "text";
      case "array": {
        if (depth > MAX_DEPTH) return [];
        if (Array.isArray(items)) return items.map((each) => this.sample(each, depth + 1));
        return Array.from({ length: minItems }, () => this.sample(items as JsonSchema, depth + 1));
      }
      case "object":
        return Object.fromEntries(required.map((name) => [name, this.sample(properties[name] ?? {}, depth + 1)]));
      default:
        return null;
    }
  }

  /** All values of a schema with one place at its largest. @param base - the value that is changed, if it fits */
  *grow(schema: JsonSchema, base: unknown, depth: number): Generator<Grown, void, undefined> {
    if (depth > MAX_DEPTH) return;
    yield* this.#nested();
    yield* this.#growKind(schema, base, depth);
  }

  *#nested(): Generator<Grown, void, undefined> {
    const { nesting } = this.#bounds;
    if (nesting === undefined) return;
    this.#nests ??= [
      { place: " as nested lists", value: nested(nesting, (value) => [value]) },
      { place: " as nested objects", value: nested(nesting, (value) => ({ x: value })) },
    ];
    yield* this.#nests;
  }

  *#growKind(schema: JsonSchema, base: unknown, depth: number): Generator<Grown, void, undefined> {
    const known = this.#resolve(schema);
    if (known.anyOf !== undefined) {
      for (const each of known.anyOf)
        yield* this.#growKind(each, this.#fits(each, base) ? base : this.sample(each), depth);
      return;
    }
    if (known.enum !== undefined || "const" in known) return;
    if (known.pattern !== undefined) {
      yield* this.#growText(known.pattern);
      return;
    }
    switch (typeOf(known)) {
      case "string":
        yield { place: " as long text", value: "x".repeat(this.#bounds.characters) };
        return;
      case "integer":
      case "number":
        yield { place: " at its greatest", value: known.maximum ?? Number.MAX_SAFE_INTEGER };
        return;
      case "array":
        yield* this.#growList(known, base, depth);
        return;
      case "object":
        yield* this.#growObject(known, base, depth);
        return;
      case undefined:
        // Any value.
        yield { place: " as many lists", value: Array.from({ length: this.#bounds.values - 10 }, () => []) };
        return;
      default:
    }
  }

  *#growText(pattern: string): Generator<Grown, void, undefined> {
    const form = new RegExp(pattern);
    const pairs = (this.#bounds.characters - 2) >> 1;
    if (form.test(`0x${"5b".repeat(1_000)}`)) {
      yield { place: " as zeros", value: `0x${"00".repeat(pairs)}` };
      yield { place: " as JUMPDESTs", value: `0x${"5b".repeat(pairs)}` };
    }
    for (const value of EXTREMES) if (form.test(value)) yield { place: ` ${value.slice(0, 20)}`, value };
  }

  *#growList(known: Known, base: unknown, depth: number): Generator<Grown, void, undefined> {
    const { items = {}, maxItems = Number.POSITIVE_INFINITY } = known;
    const list = Array.isArray(base) ? base : [];
    if (Array.isArray(items)) {
      for (const [index, each] of items.entries()) {
        const whole = items.map((other, at) => list[at] ?? this.sample(other));
        for (const { place, value } of this.grow(each, whole[index], depth + 1)) {
          yield { place: `[${index}]${place}`, value: whole.with(index, value) };
        }
      }
      return;
    }
    const item = (list[0] as unknown) ?? this.sample(items as JsonSchema);
    const length = Math.min(maxItems, Math.floor((this.#bounds.values - 100) / countValues(item)));
    const fresh = this.sample(items as JsonSchema);
    if (typeof fresh === typeof item && countValues(fresh) === countValues(item)) {
      yield { place: "[] of many", value: Array.from({ length }, () => this.sample(items as JsonSchema)) };
    } else yield { place: "[] of many", value: Array.from({ length }, () => item) };
    for (const { place, value } of this.grow(items as JsonSchema, item, depth + 1)) {
      yield { place: `[0]${place}`, value: [value] };
    }
  }

  *#growObject(known: Known, base: unknown, depth: number): Generator<Grown, void, undefined> {
    const { properties = {}, additionalProperties, propertyNames } = known;
    const whole = typeof base === "object" && base !== null && !Array.isArray(base) ? base : {};
    if (typeof additionalProperties === "object") {
      const name = (): string => String(this.sample(propertyNames ?? { pattern: "^0x[0-9a-f]{40}$" }));
      const item = this.sample(additionalProperties);
      const length = Math.floor((this.#bounds.values - 100) / countValues(item));
      const many = Array.from({ length }, () => [name(), this.sample(additionalProperties)]);
      yield { place: "{} of many", value: Object.fromEntries(many) };
      for (const { place, value } of this.grow(additionalProperties, item, depth + 1)) {
        yield { place: `{}${place}`, value: { [name()]: value } };
      }
      return;
    }
    for (const [name, each] of Object.entries(properties)) {
      const own = (whole as Record<string, unknown>)[name] ?? this.sample(each);
      for (const { place, value } of this.grow(each, own, depth + 1)) {
        yield { place: `.${name}${place}`, value: { ...whole, [name]: value } };
      }
    }
  }

  #textOf(pattern: string): string {
    const bytes = /\{(\d+)\}\$/.exec(pattern)?.[1];
    const number = (++this.#next).toString(16);
    if (bytes !== undefined) return `0x${number.padStart(Number(bytes), "0")}`;
    return [`0x${number}`, "0x", "latest", "text"].find((each) => new RegExp(pattern).test(each)) ?? "0x01";
  }

  #resolve(schema: JsonSchema): Known {
    let known = schema as Known;
    while (known.$ref !== undefined) known = (this.#named[known.$ref.split("/").at(-1) as string] ?? {}) as Known;
    return known;
  }

  /** Whether a value has a schema's outermost form. */
  #fits(schema: JsonSchema, value: unknown): boolean {
    const known = this.#resolve(schema);
    if (known.anyOf !== undefined) return known.anyOf.some((each) => this.#fits(each, value));
    if (known.pattern !== undefined) return typeof value === "string" && new RegExp(known.pattern).test(value);
    const type = typeOf(known);
    if (type === "array") return Array.isArray(value);
    if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
    return type === undefined || typeof value === type;
  }
}

function nested(depth: number, around: (value: unknown) => unknown): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = around(value);
  return value;
}

function typeOf({ type, properties, items }: Known): string | undefined {
  if (Array.isArray(type)) return type.find((each) => each !== "null") as string | undefined;
  if (type !== undefined) return type as string;
  if (properties !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

/** Number of values: lists, objects, texts, numbers and literals. */
export function countValues(value: unknown): number {
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const each = waiting.pop();
    count++;
    if (typeof each === "object" && each !== null) waiting.push(...Object.values(each));
  }
  return count;
}
