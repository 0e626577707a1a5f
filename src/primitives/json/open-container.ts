/** An array or an object that is parsed in runs of items. */

type Parse = (text: string) => unknown;

/** Takes the members of an object as they are parsed; of those with the same name, the last one counts. */
export interface MemberMap {
  set(name: string, value: unknown): unknown;
}

/** Lives until its closing bracket. */
export class OpenContainer {
  readonly #isObject: boolean;
  readonly #items: unknown[] = [];
  readonly #members: Record<string, unknown> = {};
  /** In place of {@link #members}. */
  readonly #map: MemberMap | undefined;
  /** True after a comma whose item has not come yet. */
  #owesItem = false;
  #awaitsComma = false;
  /** Name of the long member that is being parsed. */
  #name = "";

  /** @param map - the value of an object, instead of an object */
  constructor(isObject: boolean, map?: MemberMap) {
    this.#isObject = isObject;
    this.#map = map;
  }

  get value(): unknown {
    return this.#isObject ? (this.#map ?? this.#members) : this.#items;
  }

  /** True after a long item: a comma or the end must follow. */
  get awaitsComma(): boolean {
    return this.#awaitsComma;
  }

  /** The single value in it. @throws {SyntaxError} if there are none or several */
  get only(): unknown {
    if (this.#items.length !== 1) throw new SyntaxError("it is not one value");
    return this.#items[0];
  }

  /** Handles a comma after a long item. `between` is the text between the two. */
  continue(between: string): void {
    requireBlank(between);
    this.#awaitsComma = false;
    this.#owesItem = true;
  }

  /** Adds items; `run` does not include the comma after the last of them. */
  addItems(run: string, parse: Parse): void {
    if (this.#awaitsComma || isBlank(run)) throw new SyntaxError("a comma stands where a value should");
    this.#take(parse(this.#isObject ? `{${run}}` : `[${run}]`));
    this.#owesItem = true;
  }

  /**
   * Begins a long item, which is parsed in runs itself.
   *
   * @param before - text between the comma and the item's bracket
   * @returns the item's name, if this is an object
   */
  beginItem(before: string, parse: Parse): string | undefined {
    if (this.#awaitsComma) throw new SyntaxError("a comma is missing");
    this.#owesItem = false;
    if (!this.#isObject) return void requireBlank(before);
    const [name] = Object.keys(parse(`{${before} null}`) as object);
    if (name === undefined) throw new SyntaxError("a name is missing");
    this.#name = name;
    return name;
  }

  /**
   * Adds a long string.
   *
   * @param before - text between the comma and the string
   * @returns false if it is no item: then it is the name of one, or the text is not JSON
   */
  addText(before: string, text: string): boolean {
    if (this.#awaitsComma || (this.#isObject ? !/:\s*$/.test(before) : !isBlank(before))) return false;
    this.beginItem(before, JSON.parse);
    this.add(text);
    return true;
  }

  /** Ends a long item that was skipped. */
  skipped(): void {
    this.#awaitsComma = true;
  }

  /** Ends a long item that was parsed. */
  add(item: unknown): void {
    if (this.#isObject) this.#setMember(this.#name, item);
    else this.#items.push(item);
    this.#awaitsComma = true;
  }

  /** Ends the container; `run` holds its last items. */
  finish(run: string, parse: Parse): void {
    if (this.#awaitsComma) requireBlank(run);
    else if (!isBlank(run)) this.#take(parse(this.#isObject ? `{${run}}` : `[${run}]`));
    else if (this.#owesItem) throw new SyntaxError("a comma stands before the end");
  }

  #take(read: unknown): void {
    if (this.#isObject) for (const [name, value] of Object.entries(read as object)) this.#setMember(name, value);
    else for (const item of read as unknown[]) this.#items.push(item);
  }

  /** As in `JSON.parse`, `__proto__` is an ordinary member. */
  #setMember(name: string, value: unknown): void {
    const members = this.#members;
    if (this.#map !== undefined) this.#map.set(name, value);
    else if (name !== "__proto__") members[name] = value;
    else Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
  }
}

function requireBlank(text: string): void {
  if (!isBlank(text)) throw new SyntaxError("a comma is missing");
}

/** True if the text is empty or JSON white space. */
function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

/** True for characters of a string that stand for themselves (RFC 8259 §7). */
export function isPlainText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a string must not have
  return !/[\u0000-\u001f\\]/.test(text);
}
