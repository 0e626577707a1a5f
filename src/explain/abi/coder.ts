/**
 * Decodes ABI-encoded values with `micro-eth-signer`, which is loaded on first use because most nodes never decode any.
 *
 * Contracts choose the bytes, so the decoding is left to a library that limits lengths and nesting. Values are lists in
 * the order of the parameters, because objects would lose members of equal names.
 */
import type { Decoder } from "micro-eth-signer/abi.js";
import { type Bytes, concatBytes } from "../../primitives/bytes/bytes.ts";
import { fromHexDigits } from "../../primitives/platform/encodings.ts";
import { packages } from "../../primitives/platform/packages.ts";

/** bigint for numbers, boolean, string, bytes; hex for addresses; lists for arrays and tuples. */
export type AbiValue = bigint | boolean | string | Bytes | readonly AbiValue[];

/** Returns the values in order, or undefined if the bytes do not encode them. Bytes after the values are ignored. */
export type Decode = (bytes: Bytes) => readonly AbiValue[] | undefined;

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

function newDecoder(): Decoder {
  const { Decoder: Library } = packages()("micro-eth-signer/abi.js") as typeof import("micro-eth-signer/abi.js");
  return new Library();
}

/** Tuples without names are decoded to lists. */
function nameless({ type, components }: EncodedParameter): NamelessParameter {
  return components.length === 0 ? { type } : { type, components: components.map(nameless) };
}
