/**
 * Decodes calls of console.sol, Hardhat's and forge-std's, by the selectors of all overloads.
 *
 * Older versions of both computed selectors with `uint` and `int` instead of `uint256` and `int256` (Hardhat issue
 * 2178). Libraries compiled with them are still in use.
 */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { type AbiValue, type Decode, decoderOf } from "../abi/coder.ts";
import { type ConsoleValue, formatConsole } from "./format-console.ts";

/** A decoded `console.log` call. */
export interface ConsoleMessage {
  /** The text as Solidity's console.log shows it. */
  readonly text: string;
  readonly values: readonly ConsoleValue[];
}

interface Overload {
  readonly types: readonly string[];
  readonly decode: Decode;
}

const COMBINED = ["uint256", "string", "bool", "address"] as const;
const MOST_COMBINED = 4;
const SELECTOR_BYTES = 4;

/** Calls with an unknown selector are undefined, as `console.log` ignores them. */
export class ConsoleDecoder {
  /** Parameter types by selector; made on first use. */
  #signatures: ReadonlyMap<string, readonly string[]> | undefined;
  readonly #overloads = new Map<string, Overload>();

  /** The message of a call to the console; undefined if the data is not a console.log. */
  decode(data: Bytes): ConsoleMessage | undefined {
    const overload = this.#overload(bytesKey(data.subarray(0, SELECTOR_BYTES)));
    const decoded = overload?.decode(data.subarray(SELECTOR_BYTES));
    if (overload === undefined || decoded === undefined) return undefined;
    const values = overload.types.map((type, index) => ({
      type,
      value: decoded[index] as Exclude<AbiValue, readonly AbiValue[]>,
    }));
    return { text: formatConsole(values), values };
  }

  #overload(selector: string): Overload | undefined {
    const known = this.#overloads.get(selector);
    if (known !== undefined) return known;
    this.#signatures ??= consoleSignatures();
    const types = this.#signatures.get(selector);
    if (types === undefined) return undefined;
    const overload = { types, decode: decoderOf(types.map((type) => ({ type, components: [] }))) };
    this.#overloads.set(selector, overload);
    return overload;
  }
}

/** Parameter types of every overload, by selector. */
function consoleSignatures(): ReadonlyMap<string, readonly string[]> {
  const bySelector = new Map<string, readonly string[]>();
  for (const types of overloads()) {
    for (const spelling of [types, types.map((type) => type.replace(/^(u?int)256$/, "$1"))]) {
      const hash = keccak256(new TextEncoder().encode(`log(${spelling.join(",")})`));
      bySelector.set(bytesKey(hash.subarray(0, SELECTOR_BYTES)), types);
    }
  }
  return bySelector;
}

function* overloads(): Generator<readonly string[]> {
  let combinations: readonly (readonly string[])[] = [[]];
  for (let count = 0; count <= MOST_COMBINED; count++) {
    yield* combinations;
    combinations = combinations.flatMap((types) => COMBINED.map((type) => [...types, type]));
  }
  yield ["int256"];
  yield ["string", "int256"];
  yield ["bytes"];
  for (let length = 1; length <= 32; length++) yield [`bytes${length}`];
}
