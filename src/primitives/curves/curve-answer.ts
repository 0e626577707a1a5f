/** What a computation on points answers whose input and output are written as the EIPs of the precompiles say. */
import type { Bytes } from "../bytes/bytes.ts";

/** What is wrong with an input. */
export type CurveFault =
  | "inputLength"
  /** bn254's pairing takes pairs of points. */
  | "pairingLength"
  /** A number not below the field's modulus. */
  | "fieldElement"
  /** A BLS12-381 field element that does not begin with 16 zeros. */
  | "fieldElementTopBytes"
  | "bn254Point"
  | "blsPoint"
  /** Points of the curve that are not in the group of prime order. */
  | "bn254Subgroup"
  | "blsG1Subgroup"
  | "blsG2Subgroup"
  /** The hash of a KZG commitment. */
  | "versionedHash"
  /** A point to evaluate at, or a value, that is not below the order of BLS12-381's groups. */
  | "kzgScalar"
  /** Of a commitment or a proof: its first bits say that it is not compressed. */
  | "kzgUncompressed"
  /** Of a commitment or a proof: its first bits say nothing that has a meaning. */
  | "kzgPointEncoding"
  /** A commitment or a proof that is said to be at infinity and has other bits. */
  | "kzgInfinity"
  /** The x coordinate of a commitment or a proof, not below the modulus. */
  | "kzgFieldElement"
  /** A commitment or a proof whose x coordinate no point of the curve has. */
  | "kzgPoint"
  | "kzgSubgroup"
  | "kzgProof";

export type CurveAnswer = { readonly output: Bytes } | { readonly fault: CurveFault };
