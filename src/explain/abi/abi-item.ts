/** The items of a JSON ABI (Solidity's ABI specification, "JSON"), limited to what traces need. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { showValue } from "../../primitives/validation/show-value.ts";

/** An input, output, event member, or member of a tuple. */
export interface AbiParameter {
  readonly name: string;
  /** Type as in the ABI, with `uint256` and `int256` for `uint` and `int`. */
  readonly type: string;
  /** Such as `struct Shop.Order`, if the compiler wrote it. */
  readonly internalType: string | undefined;
  readonly isIndexed: boolean;
  /** Members of a tuple, or of the tuples in an array; empty for other types. */
  readonly components: readonly AbiParameter[];
}

/** A function, event, error or constructor. */
export interface AbiItem {
  readonly kind: "function" | "event" | "error" | "constructor";
  /** Empty for a constructor. */
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
  /** What a function may do; `nonpayable` if the ABI does not say. */
  readonly mutability: "pure" | "view" | "nonpayable" | "payable";
  /** True for an event whose signature is not its first topic. */
  readonly isAnonymous: boolean;
}

/** Deepest nesting of tuples. */
const MAX_DEPTH = 32;
const KINDS: ReadonlySet<string> = new Set(["function", "event", "error", "constructor"]);
const BASE_TYPE = /^(?:u?int(?<bits>\d+)?|address|bool|string|bytes(?<bytes>\d+)?|function|tuple)$/;

/**
 * Parses a JSON ABI: an array of items, or an object with such an array as `abi`, as compilers write it. `receive` and
 * `fallback` are left out, because they are not called by name.
 *
 * @throws {InvalidParamsError} `INVALID_ABI` with the path of the error
 */
export function parseAbi(value: unknown): readonly AbiItem[] {
  const list = isObject(value) ? value.abi : value;
  if (!Array.isArray(list)) {
    throw invalid("abi", `expected an array of ABI items, got ${showValue(list)}`);
  }
  return list.flatMap((item, index) => parseItem(item, `abi[${index}]`));
}

function parseItem(value: unknown, path: string): AbiItem[] {
  if (!isObject(value)) throw invalid(path, `expected an object, got ${showValue(value)}`);
  // "type" is optional for functions.
  const kind = value.type ?? "function";
  if (typeof kind !== "string") throw invalid(`${path}.type`, `expected a string, got ${showValue(kind)}`);
  if (kind === "receive" || kind === "fallback") return [];
  if (!isKind(kind)) throw invalid(`${path}.type`, `expected one of ${[...KINDS].join(", ")}, got ${showValue(kind)}`);
  const name = kind === "constructor" ? "" : value.name;
  if (typeof name !== "string") throw invalid(`${path}.name`, `expected a string, got ${showValue(name)}`);
  return [
    {
      kind,
      name,
      inputs: parseParameters(value.inputs ?? [], `${path}.inputs`, 0),
      outputs: parseParameters(value.outputs ?? [], `${path}.outputs`, 0),
      mutability: mutabilityOf(value),
      isAnonymous: value.anonymous === true,
    },
  ];
}

/** solc before 0.4.16 wrote `constant` and `payable` instead. */
function mutabilityOf({
  stateMutability,
  constant,
  payable,
}: Readonly<Record<string, unknown>>): AbiItem["mutability"] {
  if (stateMutability === "pure" || stateMutability === "view" || stateMutability === "payable") return stateMutability;
  if (stateMutability === undefined && constant === true) return "view";
  return stateMutability === undefined && payable === true ? "payable" : "nonpayable";
}

function isKind(text: string): text is AbiItem["kind"] {
  return KINDS.has(text);
}

function parseParameters(value: unknown, path: string, depth: number): AbiParameter[] {
  if (!Array.isArray(value)) throw invalid(path, `expected an array, got ${showValue(value)}`);
  if (depth > MAX_DEPTH) throw invalid(path, `tuples are nested deeper than ${MAX_DEPTH}`);
  return value.map((parameter, index) => parseParameter(parameter, `${path}[${index}]`, depth));
}

function parseParameter(value: unknown, path: string, depth: number): AbiParameter {
  if (!isObject(value)) throw invalid(path, `expected an object, got ${showValue(value)}`);
  const { type, name, internalType, indexed, components } = value;
  if (typeof type !== "string" || !isType(type)) {
    throw invalid(`${path}.type`, `expected an ABI type such as "uint256", got ${showValue(type)}`);
  }
  const isTuple = type.startsWith("tuple");
  if (isTuple && (!Array.isArray(components) || components.length === 0)) {
    throw invalid(`${path}.components`, `expected the members of the tuple, got ${showValue(components)}`);
  }
  return {
    name: typeof name === "string" ? name : "",
    type: type.replace(/^(u?int)(?=\[|$)/, "$1256"),
    internalType: typeof internalType === "string" ? internalType : undefined,
    isIndexed: indexed === true,
    components: isTuple ? parseParameters(components, `${path}.components`, depth + 1) : [],
  };
}

function isType(type: string): boolean {
  const base = type.replace(/(?:\[\d*\])+$/, "");
  const match = BASE_TYPE.exec(base);
  if (match === null) return false;
  const { bits, bytes } = match.groups ?? {};
  if (bits !== undefined) return Number(bits) > 0 && Number(bits) <= 256 && Number(bits) % 8 === 0;
  return bytes === undefined || (Number(bytes) > 0 && Number(bytes) <= 32);
}

/** The signature, of which selectors and first topics are hashes, such as `transfer(address,uint256)`. */
export function signatureOf({ name, inputs }: Pick<AbiItem, "name" | "inputs">): string {
  return `${name}(${inputs.map(canonicalType).join(",")})`;
}

function canonicalType({ type, components }: AbiParameter): string {
  return type.startsWith("tuple") ? `(${components.map(canonicalType).join(",")})${type.slice("tuple".length)}` : type;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(path: string, problem: string): InvalidParamsError {
  return new InvalidParamsError({
    code: "INVALID_ABI",
    what: `${path}: ${problem}.`,
    fix: "Give the JSON ABI that the compiler wrote, or an object with it as its member `abi`.",
  });
}
