/**
 * Decodes and encodes ABI values with `micro-eth-signer`, which is loaded on first use because most nodes never do.
 *
 * Contracts choose the bytes, so the decoding is left to a library that limits lengths and nesting. Values are lists in
 * the order of the parameters, because objects would lose members of equal names.
 */
import type { ContractMethodUntyped, Decoder } from "micro-eth-signer/abi.js";
import { type Bytes, concatBytes } from "../../primitives/bytes/bytes.ts";
import { fromHexDigits } from "../../primitives/platform/encodings.ts";
import { packages } from "../../primitives/platform/packages.ts";

/** bigint for numbers, boolean, string, bytes; hex for addresses; lists for arrays and tuples. */
export type AbiValue = bigint | boolean | string | Bytes | readonly AbiValue[];

/** Returns the values in order, or undefined if the bytes do not encode them. Bytes after the values are ignored. */
export type Decode = (bytes: Bytes) => readonly AbiValue[] | undefined;

/** Returns call data of values in the order of their parameters. @throws {Error} if a value does not fit its type */
export type EncodeCall = (values: readonly AbiValue[]) => Bytes;

/** The part of a parameter that its encoding depends on. */
export interface EncodedParameter {
  readonly type: string;
  /** Empty unless the type is a tuple. */
  readonly components: readonly EncodedParameter[];
}

interface NamelessParameter {
  readonly type: string;
  readonly components?: readonly NamelessParameter[];
}

const CONTRACT = `0x${"00".repeat(20)}`;
/** Any name: the library only decodes calls. */
const NAME = "f";

/** Makes a decoder of parameters. */
export function decoderOf(parameters: readonly EncodedParameter[]): Decode {
  if (parameters.length === 0) return () => [];
  const decoder = newDecoder();
  decoder.add(CONTRACT, [{ type: "function", name: NAME, inputs: parameters.map(nameless) }]);
  const [selector] = Object.keys(decoder.sighashes);
  const prefix = fromHexDigits(selector as string);
  return (bytes) => {
    try {
      const decoded = decoder.decode(CONTRACT, concatBytes(prefix, bytes), { allowUnreadBytes: true });
      if (decoded === undefined || Array.isArray(decoded)) return undefined;
      return (parameters.length === 1 ? [decoded.value] : decoded.value) as readonly AbiValue[];
    } catch {
      // The bytes may be wrong in any way, because a contract chose them.
      return undefined;
    }
  };
}

/** Makes an encoder of calls of a function. */
export function callEncoderOf(name: string, parameters: readonly EncodedParameter[]): EncodeCall {
  const item = { type: "function", name, inputs: parameters.map(nameless) };
  const { [name]: method } = library().createContract([item]) as Record<string, ContractMethodUntyped>;
  if (method === undefined) throw new TypeError(`No encoder was made for ${name}().`);
  return (values) => method.encodeInput(parameters.length === 1 ? values[0] : values);
}

function newDecoder(): Decoder {
  return new (library().Decoder)();
}

function library(): typeof import("micro-eth-signer/abi.js") {
  return packages()("micro-eth-signer/abi.js") as typeof import("micro-eth-signer/abi.js");
}

/** Tuples without names are decoded to lists. */
function nameless({ type, components }: EncodedParameter): NamelessParameter {
  return components.length === 0 ? { type } : { type, components: components.map(nameless) };
}
