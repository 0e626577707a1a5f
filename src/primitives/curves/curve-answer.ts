/** Results of the elliptic curve precompiles. */
import type { Bytes } from "../bytes/bytes.ts";

/** Faults of an input. */
export type CurveFault =
  | "inputLength"
  /** The input of bn254's pairing is not a multiple of a pair's size. */
  | "pairingLength"
  /** A number is not below the field's modulus. */
  | "fieldElement"
  /** A field element of BLS12-381 does not begin with 16 zeros. */
  | "fieldElementTopBytes"
  | "bn254Point"
  | "blsPoint"
  /** A point of the curve is not in the subgroup of prime order. */
  | "bn254Subgroup"
  | "blsG1Subgroup"
  | "blsG2Subgroup"
  /** The versioned hash does not match the KZG commitment. */
  | "versionedHash"
  /** The evaluation point or the value is not below the order of BLS12-381's groups. */
  | "kzgScalar"
  /** The flags of a commitment or a proof say that it is not compressed. */
  | "kzgUncompressed"
  /** The flags of a commitment or a proof are an invalid combination. */
  | "kzgPointEncoding"
  /** A commitment or a proof is flagged as infinity but has other bits. */
  | "kzgInfinity"
  /** The x coordinate of a commitment or a proof is not below the modulus. */
  | "kzgFieldElement"
  /** No point of the curve has the x coordinate of the commitment or proof. */
  | "kzgPoint"
  | "kzgSubgroup"
  | "kzgProof";

/** The output of a precompile, or why it failed. */
export type CurveAnswer = { readonly output: Bytes } | { readonly fault: CurveFault };
