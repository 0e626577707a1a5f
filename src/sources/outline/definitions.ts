/** Reads the contracts, functions and modifiers of a Solidity source, without their bodies. */
import type { OutlinedContract, OutlinedFunction, OutlinedSource } from "./outlined.ts";
import { type Token, type TokenList, tokensOf } from "./tokens.ts";

const CONTRACTS: ReadonlySet<string> = new Set(["contract", "library", "interface"]);
const FUNCTIONS: ReadonlySet<string> = new Set(["function", "constructor", "receive", "fallback", "modifier"]);
/** Words in the head of a function that are no modifiers; the first two groups are followed by brackets. */
const HEAD_WORDS: ReadonlySet<string> = new Set(
  "override returns public external internal private pure view payable virtual constant".split(" "),
);
const LOCATIONS: ReadonlySet<string> = new Set(["memory", "calldata", "storage", "payable", "indexed"]);

/**
 * The definitions of a source.
 *
 * @param nextId - makes ids for nodes of the AST
 */
export function readDefinitions(path: string, text: string, nextId: () => number): OutlinedSource {
  return new DefinitionReader(path, tokensOf(text), nextId).read();
}

class DefinitionReader {
  readonly #path: string;
  readonly #tokens: readonly Token[];
  readonly #closing: TokenList["closing"];
  readonly #nextId: () => number;

  constructor(path: string, { tokens, closing }: TokenList, nextId: () => number) {
    this.#path = path;
    this.#tokens = tokens;
    this.#closing = closing;
    this.#nextId = nextId;
  }

  read(): OutlinedSource {
    const contracts: OutlinedContract[] = [];
    const functions: OutlinedFunction[] = [];
    const imports: string[] = [];
    for (let at = 0; at < this.#tokens.length; ) {
      const end = this.#endOfItem(at, this.#tokens.length);
      const first = this.#text(at) === "abstract" ? at + 1 : at;
      const word = this.#text(first);
      if (word === "import") for (const name of this.#imported(at, end)) imports.push(name);
      else if (CONTRACTS.has(word)) for (const contract of this.#contract(at, first, end)) contracts.push(contract);
      else if (word === "function") functions.push(this.#function(at, end));
      at = end;
    }
    return { contracts, functions, imports };
  }

  #text(index: number): string {
    return this.#tokens[index]?.text ?? "";
  }

  /** Index after an item: after its first semicolon, or the first braces that end it. */
  #endOfItem(from: number, limit: number): number {
    const hasBody = !/^(?:import|using|pragma)$/.test(this.#text(from));
    for (let at = from; at < limit; at++) {
      const close = this.#closing.get(at);
      if (this.#text(at) === ";") return at + 1;
      if (close === undefined || close >= limit) continue;
      const isEnd = this.#text(at) === "{" && hasBody && this.#isDefinition(from, at);
      at = close;
      if (isEnd) return close + 1;
    }
    return limit;
  }

  /** False for the braces of a value, such as `uint256 x = f{value: 1}()`. */
  #isDefinition(from: number, brace: number): boolean {
    for (let at = from; at < brace; at++) {
      if (this.#text(at) === "=") return false;
      at = this.#closing.get(at) ?? at;
    }
    return true;
  }

  #imported(from: number, end: number): readonly string[] {
    const quoted = this.#tokens.slice(from, end).find(({ text }) => /^["']/.test(text));
    return quoted === undefined ? [] : [quoted.text.slice(1, -1)];
  }

  #contract(start: number, from: number, end: number): readonly OutlinedContract[] {
    const name = this.#text(from + 1);
    const open = this.#firstOf("{", from, end);
    const close = open === undefined ? undefined : this.#closing.get(open);
    if (open === undefined || close === undefined) return [];
    const functions: OutlinedFunction[] = [];
    const getters: JsonNode[] = [];
    for (let at = open + 1; at < close; ) {
      const stop = this.#endOfItem(at, close);
      if (FUNCTIONS.has(this.#text(at)) && !this.#isVariable(at, stop)) functions.push(this.#function(at, stop));
      else for (const getter of this.#getter(at, stop)) getters.push(getter);
      at = Math.max(stop, at + 1);
    }
    const node: Record<string, unknown> = {
      nodeType: "ContractDefinition",
      id: this.#nextId(),
      name,
      contractKind: this.#text(from),
      src: this.#src(start, close),
      nodes: [...getters, ...functions.map((each) => each.node)].sort(bySource),
    };
    return [{ id: node.id as number, name, path: this.#path, bases: this.#bases(from + 2, open), node, functions }];
  }

  /** True for a variable of a function's type. */
  #isVariable(from: number, stop: number): boolean {
    return this.#text(from) === "function" && this.#text(from + 1) === "(" && this.#isAssignedOrNamed(from, stop);
  }

  #isAssignedOrNamed(from: number, stop: number): boolean {
    const name = this.#text(stop - 2);
    return this.#text(stop - 1) === ";" && /^[A-Za-z_$]/.test(name) && !HEAD_WORDS.has(name) && stop - from > 4;
  }

  /** Names behind `is`, without their qualifiers and arguments. */
  #bases(from: number, open: number): readonly string[] {
    if (this.#text(from) !== "is") return [];
    const names: string[] = [];
    let last = "";
    for (let at = from + 1; at <= open; at++) {
      const text = this.#text(at);
      if (text === "," || at === open) {
        if (last !== "") names.push(last);
        last = "";
      } else if (/^[A-Za-z_$]/.test(text)) last = text;
      at = text === "(" ? (this.#closing.get(at) ?? at) : at;
    }
    return names;
  }

  #function(from: number, end: number): OutlinedFunction {
    const word = this.#text(from);
    const isNamed = word === "function" || word === "modifier";
    const name = isNamed && this.#text(from + 1) !== "(" ? this.#text(from + 1) : "";
    const open = this.#firstOf("{", from, end);
    const parameters = this.#firstOf("(", from, open ?? end);
    const head = parameters === undefined ? from + 2 : (this.#closing.get(parameters) ?? parameters) + 1;
    const words = this.#headWords(head, open ?? end);
    const parameterTypes = parameters === undefined ? [] : this.#parameterTypes(parameters);
    const node: Record<string, unknown> = {
      nodeType: word === "modifier" ? "ModifierDefinition" : "FunctionDefinition",
      id: this.#nextId(),
      name,
      kind: word === "function" && name === "" ? "fallback" : word,
      src: this.#src(from, end - 1),
      ...(open === undefined ? {} : { body: { nodeType: "Block", src: this.#src(open, end - 1), statements: [] } }),
      stateMutability: words.some(({ name: of }) => of === "payable") ? "payable" : "nonpayable",
      visibility: words.some(({ name: of }) => of === "private") ? "private" : "internal",
      parameters: {
        parameters: parameterTypes.map((typeString) => ({ typeDescriptions: { typeString } })),
      },
    };
    const modifiers = words.filter(({ name: of }) => !HEAD_WORDS.has(of));
    return { name, isModifier: word === "modifier", node, modifiers, parameterTypes };
  }

  /** Words between the parameters and the body, each with the brackets behind it. */
  #headWords(from: number, end: number): { readonly name: string; readonly src: string }[] {
    const words: { readonly name: string; readonly src: string }[] = [];
    for (let at = from; at < end; at++) {
      const name = this.#text(at);
      if (!/^[A-Za-z_$]/.test(name)) continue;
      const last = this.#text(at + 1) === "(" ? (this.#closing.get(at + 1) ?? at) : at;
      words.push({ name, src: this.#src(at, last) });
      at = last;
    }
    return words;
  }

  #parameterTypes(open: number): readonly string[] {
    const close = this.#closing.get(open) ?? open;
    const types: string[] = [];
    let words: string[] = [];
    for (let at = open + 1; at <= close; at++) {
      const text = this.#text(at);
      const inner = this.#closing.get(at);
      if (text === "," || at === close) {
        if (words.length > 0) types.push(typeOf(words));
        words = [];
      } else if (inner === undefined) words.push(text);
      else {
        words.push(
          this.#tokens
            .slice(at, inner + 1)
            .map((token) => token.text)
            .join(""),
        );
        at = inner;
      }
    }
    return types;
  }

  /** The function of a public state variable. It has no slot here: that the layout of the compiler says. */
  #getter(from: number, stop: number): readonly JsonNode[] {
    const assigned = this.#firstOf("=", from, stop) ?? stop - 1;
    const words = this.#tokens.slice(from, assigned).map(({ text }) => text);
    if (!words.includes("public") || /^(?:using|struct|enum|event|error|type)$/.test(this.#text(from))) return [];
    const name = this.#text(assigned - 1);
    const src = this.#src(from, Math.max(from, stop - 2));
    return [{ nodeType: "VariableDeclaration", id: this.#nextId(), name, constant: true, visibility: "public", src }];
  }

  #firstOf(text: string, from: number, end: number): number | undefined {
    for (let at = from; at < end; at++) {
      if (this.#text(at) === text) return at;
      at = this.#closing.get(at) ?? at;
    }
    return undefined;
  }

  /** `start:length:file` of some tokens. The file's number is not read. */
  #src(first: number, last: number): string {
    const start = this.#tokens[first]?.start ?? 0;
    const end = this.#tokens[last]?.end ?? start;
    return `${start}:${end - start}:0`;
  }
}

type JsonNode = Record<string, unknown>;

function typeOf(words: readonly string[]): string {
  const own = words.filter((word) => !LOCATIONS.has(word));
  // The name of the parameter, if it has one, follows the type; `a.B` and `a[]` belong together.
  const name = own.at(-1) ?? "";
  const before = own.at(-2) ?? "";
  const isNamed = own.length > 1 && /^[A-Za-z_$]/.test(name) && before !== ".";
  return (isNamed ? own.slice(0, -1) : own).join("").replace(/^(u?int)(?=\[|$)/, "$1256");
}

const startOf = ({ src }: JsonNode): number => Number(String(src).split(":", 1)[0]);
const bySource = (left: JsonNode, right: JsonNode): number => startOf(left) - startOf(right);
