/**
 * Schemas: what a value of unknown form may be, what the house reads it as, and its JSON Schema. Types derive from them.
 *
 * Reading stops at the first thing that is wrong. A schema is two small functions, and all of one kind share their code:
 * most nodes live in tests and answer a hundred requests, of which V8 has compiled little. A library of schemas took a
 * tenth of their start and a third of their first calls.
 */

/** JSON Schema, draft 7. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** What is wrong with a value. */
export class Problem {
  /** What was expected. */
  readonly message: string;
  /** Where in the value. */
  readonly path: readonly PropertyKey[];
  /** The members, where that is what is wrong, that an object must not have. */
  readonly unknownMembers: readonly string[] | undefined;

  constructor(message: string, path: readonly PropertyKey[] = [], unknownMembers?: readonly string[]) {
    this.message = message;
    this.path = path;
    this.unknownMembers = unknownMembers;
  }

  /** The same, seen from the object or list that has the value under this key. */
  under(key: PropertyKey): Problem {
    return new Problem(this.message, [key, ...this.path], this.unknownMembers);
  }
}

type Read<Output> = (value: unknown) => Output | Problem;
/** Gives the JSON Schema of a part: its own, or a reference to it. */
type Tell = (part: Schema<unknown>) => JsonSchema;

/** @typeParam Input - what callers may send, as a type; it exists at compile time only */
export class Schema<Output, Input = unknown> {
  declare readonly input?: Input;
  readonly read: Read<Output>;
  readonly describe: (tell: Tell) => JsonSchema;

  constructor(read: Read<Output>, describe: (tell: Tell) => JsonSchema) {
    this.read = read;
    this.describe = describe;
  }

  /** The same, or null or nothing: undefined. */
  nullish(): Schema<Output | undefined, Input | null | undefined> {
    return new Schema<Output | undefined, Input | null | undefined>(
      (value) => (value === undefined || value === null ? undefined : this.read(value)),
      (tell) => ({ anyOf: [tell(this), { type: "null" }] }),
    );
  }

  /** The same, or nothing: undefined. */
  optional(): Schema<Output | undefined, Input | undefined> {
    return new Schema<Output | undefined, Input | undefined>(
      (value) => (value === undefined ? undefined : this.read(value)),
      this.describe,
    );
  }

  /** Makes something else of what was read, or finds a problem in it. */
  to<Next>(change: (value: Output) => Next | Problem): Schema<Next, Input> {
    const read = (value: unknown): Next | Problem => {
      const output = this.read(value);
      return output instanceof Problem ? output : change(output);
    };
    return new Schema(read, this.describe);
  }

  /** Refuses some of what was read. */
  where(holds: (value: Output) => boolean, message: string): Schema<Output, Input> {
    return this.to((value) => (holds(value) ? value : new Problem(message)));
  }
}

export type OutputOf<S> = S extends Schema<infer Output, unknown> ? Output : never;
export type InputOf<S> = S extends Schema<unknown, infer Input> ? Input : never;

/** Any value, as it is. */
export const anything = new Schema<unknown, unknown>(
  (value) => value,
  () => ({}),
);

/** Text, and what is read from it. */
export function text<Output>(
  shape: string,
  read: (text: string) => Output | Problem,
  json: JsonSchema = {},
): Schema<Output, string> {
  return new Schema(
    (value) => (typeof value === "string" ? read(value) : new Problem(shape)),
    () => ({ type: "string", ...json }),
  );
}

/** Text as it is. */
export function string(shape = "expected a string"): Schema<string, string> {
  return text(shape, (value) => value);
}

/** Text of one pattern. */
export function textLike(
  pattern: RegExp,
  { shape = "expected a string", ...json }: { readonly shape?: string; readonly title?: string } = {},
): Schema<string, string> {
  const read = (value: string): string | Problem => (pattern.test(value) ? value : new Problem(shape));
  return text(shape, read, { ...json, pattern: pattern.source });
}

export function boolean(shape = "expected true or false"): Schema<boolean, boolean> {
  return new Schema(
    (value) => (typeof value === "boolean" ? value : new Problem(shape)),
    () => ({ type: "boolean" }),
  );
}

/** A finite number. */
export function number(shape: string): Schema<number, number> {
  return new Schema(
    (value) => (Number.isFinite(value) ? (value as number) : new Problem(shape)),
    () => ({ type: "number" }),
  );
}

/** A JSON integer from 0 to 2^53 - 1. */
export function natural(shape = "expected an integer"): Schema<number, number> {
  return new Schema(
    (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : new Problem(shape)),
    () => ({ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  );
}

/** One of some values. */
export function oneOf<const Value extends string | number>(
  values: readonly Value[],
  shape?: string,
): Schema<Value, Value> {
  return new Schema(
    (value) => values.find((each) => each === value) ?? new Problem(shape ?? "expected another value"),
    () => ({ enum: values }),
  );
}

type Schemas = readonly Schema<unknown>[];

/**
 * What the first schema that takes it makes of a value.
 *
 * @param shape - what is expected where none does; it may depend on the value
 */
export function either<const Options extends Schemas>(
  options: Options,
  shape: string | ((value: unknown) => string) = "expected another value",
): Schema<OutputOf<Options[number]>, InputOf<Options[number]>> {
  const read = (value: unknown): OutputOf<Options[number]> | Problem => {
    for (const option of options) {
      const output = option.read(value);
      if (!(output instanceof Problem)) return output as OutputOf<Options[number]>;
      // It was meant: but for that member it would have been taken.
      if (output.unknownMembers !== undefined && output.path.length === 0) return output;
    }
    return new Problem(typeof shape === "string" ? shape : shape(value));
  };
  return new Schema(read, (tell) => ({ anyOf: options.map(tell) }));
}

/** A list. @param limit - how many of what it may have; default: any number */
export function listOf<Output, Input>(
  items: Schema<Output, Input>,
  shape = "expected a list",
  limit?: { readonly most: number; readonly of: string },
): Schema<Output[], Input[]> {
  const read = (value: unknown): Output[] | Problem => {
    if (!Array.isArray(value)) return new Problem(shape);
    const list: Output[] = [];
    for (const [index, item] of value.entries()) {
      const output = items.read(item);
      if (output instanceof Problem) return output.under(index);
      list.push(output);
    }
    if (limit !== undefined && list.length > limit.most) {
      return new Problem(`expected at most ${limit.most} ${limit.of}`);
    }
    return list;
  };
  const size = limit === undefined ? {} : { maxItems: limit.most };
  return new Schema(read, (tell) => ({ type: "array", items: tell(items), ...size }));
}

/** A list of two. */
export function pairOf<First, FirstInput, Second, SecondInput>(
  first: Schema<First, FirstInput>,
  second: Schema<Second, SecondInput>,
  shape?: string,
): Schema<[First, Second], [FirstInput, SecondInput]> {
  const read = (value: unknown): [First, Second] | Problem => {
    if (!Array.isArray(value)) return new Problem(shape ?? "expected a list");
    if (value.length < 2) return new Problem(shape ?? "expected a list of at least 2");
    if (value.length > 2) return new Problem(shape ?? "expected a list of at most 2");
    const left = first.read(value[0]);
    if (left instanceof Problem) return left.under(0);
    const right = second.read(value[1]);
    return right instanceof Problem ? right.under(1) : [left, right];
  };
  const sizes = { additionalItems: false, minItems: 2, maxItems: 2 };
  return new Schema(read, (tell) => ({ type: "array", items: [tell(first), tell(second)], ...sizes }));
}
