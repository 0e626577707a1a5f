/** Parses the tables of signatures in `standard.ts`. */
import type { AbiEvent, AbiFunction, AbiParameter } from "../rpc/types.ts";
import { STANDARD_ERRORS, STANDARD_EVENTS, STANDARD_FUNCTIONS } from "./standard.ts";

/** A signature of a table. */
export interface Signature {
  readonly key: string;
  readonly name: string;
  readonly inputs: readonly (AbiParameter & { readonly isIndexed: boolean })[];
  readonly outputs: readonly AbiParameter[];
}

/** The entries of the tables, by selectors and topics. */
export interface Standards {
  readonly functions: ReadonlyMap<string, AbiFunction>;
  readonly errors: ReadonlyMap<string, Signature>;
  /** By the first eight bytes of the topic. Those of one topic differ in their indexed parameters. */
  readonly events: ReadonlyMap<string, readonly AbiEvent[]>;
}

const PAYABLE = new Set(["deposit", "multicall", "execute", "aggregate3Value", "swapExactETHForTokens"]);
/** Functions of the table that return something and write all the same. */
const WRITING =
  /^(transfer|approve|increase|decrease|deposit|mint|burn|withdraw|redeem|on|multicall|aggregate|try|create|add|remove|swap|exact|safe)/;

/** Parses the tables. */
export function parseStandards(): Standards {
  const functions = parse(STANDARD_FUNCTIONS).map(functionOfSignature);
  const events = new Map<string, AbiEvent[]>();
  for (const { key, name, inputs } of parse(STANDARD_EVENTS))
    events.set(`0x${key}`, [...(events.get(`0x${key}`) ?? []), { topic: `0x${key}`, name, inputs }]);
  return {
    functions: new Map(functions.map((each) => [each.selector, each])),
    errors: new Map(parse(STANDARD_ERRORS).map((each) => [`0x${each.key}`, each])),
    events,
  };
}

/** Only functions that change nothing and return something known are taken for views. */
function functionOfSignature(each: Signature): AbiFunction {
  return {
    ...each,
    selector: `0x${each.key}`,
    signature: `${each.name}(${each.inputs.map(typeText).join(",")})`,
    isPayable: PAYABLE.has(each.name),
    isView: each.outputs.length > 0 && !WRITING.test(each.name),
  };
}

/** The type with those of a tuple's members. */
export function typeText({ type, components }: AbiParameter): string {
  return type.startsWith("tuple") ? `(${components.map(typeText).join(",")})${type.slice("tuple".length)}` : type;
}

function parse(table: string): readonly Signature[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const [, key = "", name = "", rest = ""] = /^(\w+) (\w+)(.*)$/.exec(line) ?? [];
      const [inputs, after] = parseList(rest);
      const [outputs] = after === "" || after.startsWith("(") ? parseList(after) : parseList(`(${after})`);
      return { key, name, inputs, outputs };
    });
}

/** Parses a list in brackets. Returns what follows it, too. */
function parseList(text: string): readonly [Signature["inputs"], string] {
  const list: Signature["inputs"][number][] = [];
  if (text === "") return [list, ""];
  let rest = text.slice(1);
  while (rest !== "" && !rest.startsWith(")")) {
    let type = /^[\w]*/.exec(rest)?.[0] ?? "";
    let components: readonly AbiParameter[] = [];
    if (rest.startsWith("(")) {
      [components, rest] = parseList(rest);
      type = "tuple";
    } else rest = rest.slice(type.length);
    const [whole = "", array = "", indexed, name = ""] = /^((?:\[\d*\])*)( indexed)?(?: (\w+))?,?/.exec(rest) ?? [];
    list.push({ name, type: type + array, components, isIndexed: indexed !== undefined });
    rest = rest.slice(whole.length);
  }
  return [list, rest.slice(1)];
}
