/**
 * Computes the answers of precompiles, in this thread or others.
 *
 * A thread receives its program as source text, so that the bundle needs no further file. Therefore each part of the
 * program refers to nothing outside itself. {@link PARTS} lists the parts.
 */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { Bls12381 } from "../../../primitives/curves/bls12-381.ts";
import { Bn254, Bn254Subgroup } from "../../../primitives/curves/bn254.ts";
import { KzgEvaluation } from "../../../primitives/curves/kzg.ts";
import { type MCL_WASM, Mcl, type MclCurve } from "../../../primitives/curves/mcl.ts";
import { ModularExponentiation } from "../../../primitives/curves/modular-exponentiation.ts";
import { P256 } from "../../../primitives/curves/p256.ts";
import { PairingCurve } from "../../../primitives/curves/pairing-curve.ts";
import { Blake2f } from "../../../primitives/hash/blake2f.ts";
import { ripemd160, sha256 } from "../../../primitives/platform/crypto.ts";
import { fromHexDigits, toHexDigits } from "../../../primitives/platform/encodings.ts";
import { compileEmbeddedWasm, type Load } from "../../../primitives/platform/packages.ts";
import type { PrecompileAnswer } from "./precompile.ts";

/** Functions and classes whose source text a thread receives. */
export const PARTS = {
  Blake2f,
  Bls12381,
  Bn254,
  Bn254Subgroup,
  compileEmbeddedWasm,
  fromHexDigits,
  KzgEvaluation,
  Mcl,
  ModularExponentiation,
  P256,
  PairingCurve,
  ripemd160,
  sha256,
  toHexDigits,
} as const;
/** The functions and classes that compute answers. */
export type Parts = typeof PARTS;

/** Arguments of {@link openAnswers} other than the parts. */
export interface AnswerData {
  /** The module of {@link Blake2f}. */
  readonly hashCore: Bytes;
  readonly curves: typeof MclCurve;
  readonly mclWasm: typeof MCL_WASM;
}

/** Computes the answer of the precompile with a standard address; it does not depend on the hardfork. */
export type Answer = (standardAddress: number, input: Bytes) => PrecompileAnswer;

/**
 * Makes the answers of all precompiles except ecrecover. Libraries are loaded on first use. Refers to nothing outside
 * the function, because threads receive its source text.
 *
 * @param load - `require` of a module of this package
 */
export function openAnswers(parts: Parts, load: Load, { hashCore, curves, mclWasm }: AnswerData): Answer {
  const once = <Made>(make: () => Made): (() => Made) => {
    let made: Made | undefined;
    return () => {
      made ??= make();
      return made;
    };
  };
  const mcl = once(() => parts.compileEmbeddedWasm(load, mclWasm.script, mclWasm.pattern));
  const modexp = new parts.ModularExponentiation(parts);
  const bn254 = once(() => {
    const library = new parts.Mcl(mcl(), curves.bn254);
    const encoding = { width: 32, zeros: 0, isImaginaryFirst: true, offCurve: "bn254Point" } as const;
    return new parts.Bn254(new parts.PairingCurve(library, encoding), new parts.Bn254Subgroup(library));
  });
  const blake = once(() => new parts.Blake2f(hashCore));
  const bls = once(() => {
    const library = new parts.Mcl(mcl(), curves.bls12381);
    const encoding = { width: 64, zeros: 16, isImaginaryFirst: false, offCurve: "blsPoint" } as const;
    return { library, groups: new parts.Bls12381(new parts.PairingCurve(library, encoding)) };
  });
  const kzg = once(() => new parts.KzgEvaluation(bls().library, parts));
  const p256 = once(() => new parts.P256(new parts.Mcl(mcl(), curves.p256)));
  const ripemd160 = (input: Bytes): Bytes => {
    const word = new Uint8Array(32);
    word.set(parts.ripemd160(input), 12);
    return word;
  };
  const answers = new Map<number, (input: Bytes) => PrecompileAnswer>([
    [0x02, (input) => ({ output: parts.sha256(input) })],
    [0x03, (input) => ({ output: ripemd160(input) })],
    [0x04, (input) => ({ output: new Uint8Array(input) })],
    [0x05, (input) => modexp.answer(input)],
    [0x06, (input) => bn254().add(input)],
    [0x07, (input) => bn254().multiply(input)],
    [0x08, (input) => bn254().checkPairings(input)],
    [0x09, (input) => blake().answer(input)],
    [0x0a, (input) => kzg().answer(input)],
    [0x0b, (input) => bls().groups.addG1(input)],
    [0x0c, (input) => bls().groups.multiplyG1(input)],
    [0x0d, (input) => bls().groups.addG2(input)],
    [0x0e, (input) => bls().groups.multiplyG2(input)],
    [0x0f, (input) => bls().groups.checkPairings(input)],
    [0x10, (input) => bls().groups.mapToG1(input)],
    [0x11, (input) => bls().groups.mapToG2(input)],
    [0x100, (input) => p256().answer(input)],
  ]);
  return (standardAddress, input) => {
    const answer = answers.get(standardAddress);
    if (answer === undefined) throw new TypeError(`No precompile has the standard address ${standardAddress}.`);
    return answer(input);
  };
}
