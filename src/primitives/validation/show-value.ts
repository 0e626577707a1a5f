/** Shows values from outside in errors. */

const MAX_LENGTH = 80;

/**
 * A value on one line of at most 80 characters: as JSON if it has such a form, bigints as `5n`. Never throws, and reads
 * no more than it shows, because a value may be megabytes long and nested millions deep.
 */
export function showValue(value: unknown): string {
  const text = textOf(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 3)}...` : text;
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "function":
      return "a function";
    case "string":
      return stringOf(value);
    case "object":
      return value === null ? "null" : (jsonOf(value) ?? "an object");
    case "bigint":
      return bigIntOf(value);
    default:
      return String(value);
  }
}

/** The beginning of a string as JSON. */
function stringOf(value: string): string {
  return JSON.stringify(value.slice(0, MAX_LENGTH));
}

/** Converting a long bigint to decimal digits would take seconds. */
function bigIntOf(value: bigint): string {
  const isLong = BigInt.asIntN(1024, value) !== value;
  return isLong ? `a bigint of more than 1,024 bits` : `${value}n`;
}

/** Undefined for a value without JSON form, such as a circular one. */
function jsonOf(value: object): string | undefined {
  try {
    const json = new Beginning().of(value);
    return json === "{}" ? emptyOr(value) : json;
  } catch {
    return undefined;
  }
}

/** A value that JSON shows as `{}`, such as a Map or a Promise, is shown by its class. */
function emptyOr(value: object | null): string {
  const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return kind === "Object" ? "{}" : `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}`;
}

/** Writes the beginning of `JSON.stringify`'s text, a little more than is shown. */
class Beginning {
  #text = "";
  /** Objects that contain the value that is being written. */
  readonly #around = new Set<object>();

  /**
   * Undefined for a value without JSON form.
   *
   * @throws {TypeError} for a circular value
   * @throws any error of a `toJSON` or a getter
   */
  of(value: object): string | undefined {
    const plain = plainOf("", value);
    if (plain === undefined || typeof plain === "function" || typeof plain === "symbol") return undefined;
    this.#write(plain);
    return this.#text;
  }

  get #isFull(): boolean {
    return this.#text.length > MAX_LENGTH;
  }

  #write(value: unknown): void {
    if (this.#isFull) return;
    if (typeof value !== "object" || value === null) {
      this.#text += atomOf(value);
      return;
    }
    if (this.#around.has(value)) throw new TypeError("a circle");
    this.#around.add(value);
    if (Array.isArray(value)) this.#writeList(value);
    else this.#writeMembers(value);
    this.#around.delete(value);
  }

  #writeList(items: readonly unknown[]): void {
    this.#text += "[";
    for (let index = 0; index < items.length && !this.#isFull; index++) {
      if (index > 0) this.#text += ",";
      this.#write(plainOf(String(index), items[index]));
    }
    this.#text += "]";
  }

  #writeMembers(members: object): void {
    this.#text += "{";
    let separator = "";
    for (const name in members) {
      if (this.#isFull) break;
      if (!Object.hasOwn(members, name)) continue;
      const value = plainOf(name, (members as Readonly<Record<string, unknown>>)[name]);
      if (value === undefined || typeof value === "function" || typeof value === "symbol") continue;
      this.#text += `${separator}${stringOf(name)}:`;
      this.#write(value);
      separator = ",";
    }
    this.#text += "}";
  }
}

/** The value after its `toJSON`, as in `JSON.stringify`. */
function plainOf(name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value, name) : value;
}

function atomOf(value: unknown): string {
  if (typeof value === "string") return stringOf(value);
  if (typeof value === "bigint") return JSON.stringify(bigIntOf(value));
  return JSON.stringify(value) ?? "null";
}
