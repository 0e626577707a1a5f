/** An array or an object that is parsed in runs of items. */

type Parse = (text: string) => unknown;

/** Lives until its closing bracket. */
export class OpenContainer {
  readonly #isObject: boolean;
  readonly #items: unknown[] = [];
  readonly #members: Record<string, unknown> = {};
  /** True after a comma whose item has not come yet. */
  #owesItem = false;
  #awaitsComma = false;
  /** Name of the long member that is being parsed. */
  #name = "";

  constructor(isObject: boolean) {
    this.#isObject = isObject;
  }

  get value(): unknown {
    return this.#isObject ? this.#members : this.#items;
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

  /** Ends a long item that was skipped. */
  skipped(): void {
    this.#awaitsComma = true;
  }

  /** Ends a long item that was parsed. */
  add(item: unknown): void {
    if (this.#isObject) setMember(this.#members, this.#name, item);
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
    if (this.#isObject)
      for (const [name, value] of Object.entries(read as object)) setMember(this.#members, name, value);
    else for (const item of read as unknown[]) this.#items.push(item);
  }
}

/** As in `JSON.parse`, `__proto__` is an ordinary member. */
function setMember(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") members[name] = value;
  else Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}

function requireBlank(text: string): void {
  if (!isBlank(text)) throw new SyntaxError("a comma is missing");
}

/** True if the text is empty or JSON white space. */
function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}
