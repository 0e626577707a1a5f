/**
 * Decodes ABI-encoded values by `micro-eth-signer`, which is loaded on first use: most nodes never decode any.
 *
 * Decoding is what an ABI library is trusted for and what contracts choose the input of; the library bounds lengths and
 * nesting. Values come in the order of the parameters, since objects by name would lose members of equal names.
 */

import type { Decoder } from "micro-eth-signer/abi.js";
import { type Bytes, concatBytes } from "../../primitives/bytes/bytes.ts";
import { fromHexDigits } from "../../primitives/platform/encodings.ts";
import { packages } from "../../primitives/platform/packages.ts";

/** bigint for numbers, boolean, string, bytes; address as hex; lists for arrays and tuples. */
export type AbiValue = bigint | boolean | string | Bytes | readonly AbiValue[];

/** Gives the values in order, or undefined for bytes that do not hold them. What is behind them is ignored. */
export type Decode = (bytes: Bytes) => readonly AbiValue[] | undefined;

/** As much of a parameter as its encoding depends on. */
export interface EncodedParameter {
  readonly type: string;
  /** Empty for what is no tuple. */
  readonly components: readonly EncodedParameter[];
}

interface NamelessParameter {
  readonly type: string;
  readonly components?: readonly NamelessParameter[];
}

const CONTRACT = `0x${"00".repeat(20)}`;
/** Any selector: the library only decodes what has one. */
const NAME = "f";

/** A decoder of parameters. */
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
      // Whatever is wrong with bytes that a contract made up.
      return undefined;
    }
  };
}

function newDecoder(): Decoder {
  const { Decoder: Library } = packages()("micro-eth-signer/abi.js") as typeof import("micro-eth-signer/abi.js");
  return new Library();
}

/** Without names, tuples are lists. */
function nameless({ type, components }: EncodedParameter): NamelessParameter {
  return components.length === 0 ? { type } : { type, components: components.map(nameless) };
}
