/** Computes the answers of precompiles, in this thread or others. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { Bls12381 } from "../../../primitives/curves/bls12-381.ts";
import { Bn254, Bn254Subgroup } from "../../../primitives/curves/bn254.ts";
import { KzgEvaluation } from "../../../primitives/curves/kzg.ts";
import { Mcl, MclCurve } from "../../../primitives/curves/mcl.ts";
import { ModularExponentiation } from "../../../primitives/curves/modular-exponentiation.ts";
import { P256 } from "../../../primitives/curves/p256.ts";
import { PairingCurve } from "../../../primitives/curves/pairing-curve.ts";
import { Blake2f } from "../../../primitives/hash/blake2f.ts";
import { once } from "../../../primitives/once.ts";
import { ripemd160, sha256 } from "../../../primitives/platform/crypto.ts";
import type { PrecompileAnswer } from "./precompile.ts";

/** The input of a precompile, by its standard address. */
export interface PrecompileTask {
  readonly standardAddress: number;
  readonly input: Bytes;
}

/** Computes the answer of a precompile; it does not depend on the hardfork. */
export type Answer = (task: PrecompileTask) => PrecompileAnswer;

/** Makes the answers of all precompiles except ecrecover. Libraries are loaded on first use. */
export function openAnswers(): Answer {
  const modexp = new ModularExponentiation();
  const bn254 = once(() => {
    const library = new Mcl(MclCurve.bn254);
    const encoding = { width: 32, zeros: 0, isImaginaryFirst: true, offCurve: "bn254Point" } as const;
    return new Bn254(new PairingCurve(library, encoding), new Bn254Subgroup(library));
  });
  const blake = once(() => new Blake2f());
  const bls = once(() => {
    const library = new Mcl(MclCurve.bls12381);
    const encoding = { width: 64, zeros: 16, isImaginaryFirst: false, offCurve: "blsPoint" } as const;
    return { library, groups: new Bls12381(new PairingCurve(library, encoding)) };
  });
  const kzg = once(() => new KzgEvaluation(bls().library));
  const p256 = once(() => new P256(new Mcl(MclCurve.p256)));
  const ripemd160Word = (input: Bytes): Bytes => {
    const word = new Uint8Array(32);
    word.set(ripemd160(input), 12);
    return word;
  };
  const answers = new Map<number, (input: Bytes) => PrecompileAnswer>([
    [0x02, (input) => ({ output: sha256(input) })],
    [0x03, (input) => ({ output: ripemd160Word(input) })],
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
  return ({ standardAddress, input }) => {
    const answer = answers.get(standardAddress);
    if (answer === undefined) throw new TypeError(`No precompile has the standard address ${standardAddress}.`);
    return answer(input);
  };
}
