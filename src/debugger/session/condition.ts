/**
 * Conditions of breakpoints: comparisons of values with each other and with literals, joined by `&&`, `||`, `!` and
 * parentheses. Values are local and state variables, by their names and paths.
 */
import type { ValueNode } from "../values/value-node.ts";

/** Finds a value by its name or path; undefined if there is none. */
export type FindValue = (path: string) => Promise<ValueNode | undefined>;

/** A condition that has been read. */
export type Condition = (find: FindValue) => Promise<boolean>;

/** A number, the text of another value, or true or false. */
type Operand = bigint | string | boolean;

const OPERATORS = new Set(["==", "!=", "<", "<=", ">", ">="]);
/** An operator, a text in quotes, or a literal or path, in which brackets hold keys. */
const TOKEN = /\s*(&&|\|\||==|!=|<=|>=|[<>!()]|"[^"]*"|-?(?:[\w$.]|\[[^\]]*\])+)/y;
const NUMBER = /^-?(?:0x[\da-f]+|\d[\d_]*)$/i;

/**
 * Reads a condition, such as `amount > 100 && owner == 0xAb…`.
 *
 * @throws {SyntaxError} names the place that is not understood
 */
export function readCondition(text: string): Condition {
  return new ConditionReader(tokensOf(text), text).read();
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(TOKEN);
  while (text.slice(pattern.lastIndex).trim() !== "") {
    const start = pattern.lastIndex;
    const [, token] = pattern.exec(text) ?? [];
    if (token === undefined) throw new SyntaxError(`"${text.slice(start).trim()}" is not understood in ${text}.`);
    tokens.push(token);
  }
  return tokens;
}

/** Reads the tokens of one condition, from left to right. */
class ConditionReader {
  readonly #tokens: readonly string[];
  readonly #text: string;
  #next = 0;

  constructor(tokens: readonly string[], text: string) {
    this.#tokens = tokens;
    this.#text = text;
  }

  read(): Condition {
    const condition = this.#any();
    if (this.#next < this.#tokens.length) throw this.#unexpected();
    return condition;
  }

  /** Operands of `||`. */
  #any(): Condition {
    const left = this.#all();
    if (!this.#take("||")) return left;
    const right = this.#any();
    return async (find) => (await left(find)) || (await right(find));
  }

  /** Operands of `&&`. */
  #all(): Condition {
    const left = this.#single();
    if (!this.#take("&&")) return left;
    const right = this.#all();
    return async (find) => (await left(find)) && (await right(find));
  }

  #single(): Condition {
    if (this.#take("!")) {
      const negated = this.#single();
      return async (find) => !(await negated(find));
    }
    if (this.#take("(")) {
      const inner = this.#any();
      if (!this.#take(")")) throw this.#unexpected();
      return inner;
    }
    return this.#comparison();
  }

  #comparison(): Condition {
    const left = this.#operand();
    const operator = this.#tokens[this.#next] ?? "";
    if (!OPERATORS.has(operator)) return async (find) => isTrue(await left(find));
    this.#next++;
    const right = this.#operand();
    return async (find) => compares(operator, await left(find), await right(find));
  }

  #operand(): (find: FindValue) => Promise<Operand> {
    const token = this.#tokens[this.#next];
    if (token === undefined || !/^[-\w$"]/.test(token)) throw this.#unexpected();
    this.#next++;
    const literal = literalOf(token);
    if (literal !== undefined) return async () => literal;
    return async (find) => {
      const found = await find(token);
      if (found === undefined) throw new ReferenceError(`${token}: no local or state variable here has this name.`);
      return literalOf(found.value) ?? found.value;
    };
  }

  #take(token: string): boolean {
    const isThere = this.#tokens[this.#next] === token;
    if (isThere) this.#next++;
    return isThere;
  }

  #unexpected(): SyntaxError {
    const token = this.#tokens[this.#next];
    return new SyntaxError(
      token === undefined ? `${this.#text} ends too early.` : `"${token}" is not understood in ${this.#text}.`,
    );
  }
}

/** The value of a literal, or of the text of a value; undefined for a name. */
function literalOf(text: string): Operand | undefined {
  if (text === "true" || text === "false") return text === "true";
  if (text.startsWith('"')) return text.slice(1, -1);
  if (!NUMBER.test(text)) return undefined;
  const digits = text.replaceAll("_", "");
  return digits.startsWith("-") ? -BigInt(digits.slice(1)) : BigInt(digits);
}

function isTrue(value: Operand): boolean {
  return typeof value === "bigint" ? value !== 0n : value !== false && value !== "";
}

function compares(operator: string, left: Operand, right: Operand): boolean {
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (typeof left !== typeof right) return false;
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}
