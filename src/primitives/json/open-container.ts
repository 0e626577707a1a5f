/** A list or an object of a JSON text that is too long to be read at once: its items come in runs. */

type Parse = (text: string) => unknown;

export class OpenContainer {
  readonly #isObject: boolean;
  readonly #items: unknown[] = [];
  readonly #members: Record<string, unknown> = {};
  /** A comma came, and what it promises has not. */
  #owesItem = false;
  #awaitsComma = false;
  /** Of the long member that is being read. */
  #name = "";

  constructor(isObject: boolean) {
    this.#isObject = isObject;
  }

  get value(): unknown {
    return this.#isObject ? this.#members : this.#items;
  }

  /** A long item has ended: a comma or the end is next. */
  get awaitsComma(): boolean {
    return this.#awaitsComma;
  }

  /** The one value in it. @throws {SyntaxError} where there are none or several */
  get only(): unknown {
    if (this.#items.length !== 1) throw new SyntaxError("it is not one value");
    return this.#items[0];
  }

  /** A comma after a long item, with what stands between the two. */
  continue(between: string): void {
    requireBlank(between);
    this.#awaitsComma = false;
    this.#owesItem = true;
  }

  /** Items without the comma behind the last of them. */
  addItems(run: string, parse: Parse): void {
    if (this.#awaitsComma || isBlank(run)) throw new SyntaxError("a comma stands where a value should");
    this.#take(parse(this.#isObject ? `{${run}}` : `[${run}]`));
    this.#owesItem = true;
  }

  /**
   * A long item begins, which is read in runs itself.
   *
   * @param before - what stands between the comma and its bracket
   * @returns its name, where this is an object
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

  /** The long item that had begun is passed over. */
  skipped(): void {
    this.#awaitsComma = true;
  }

  /** The long item that had begun. */
  add(item: unknown): void {
    if (this.#isObject) setMember(this.#members, this.#name, item);
    else this.#items.push(item);
    this.#awaitsComma = true;
  }

  /** The end, with the items before it that were not read. */
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

/** As `JSON.parse` does: a member of the name `__proto__` is one like any other. */
function setMember(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") members[name] = value;
  else Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}

function requireBlank(text: string): void {
  if (!isBlank(text)) throw new SyntaxError("a comma is missing");
}

/** Whether it is empty, but for JSON's white space. */
function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}
