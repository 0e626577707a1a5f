/** What EthereumJS' error of a precompile says about the input that was refused. */
import { EVMError } from "@ethereumjs/evm";
import type { PrecompileFault } from "../../../evm/frames.ts";
import type { Bytes } from "../../../primitives/bytes.ts";

const texts = EVMError.errorMessages;

/** Where precompiles are at home (yellow paper appendix E, EIP-196, EIP-197, EIP-2537, EIP-4844). */
const BN254_PAIRING = 0x08;
const KZG_EVALUATION = 0x0a;
const FIRST_BLS = 0x0b;
const G1_MULTIPLICATION = 0x0c;
const G2_MULTIPLICATION = 0x0e;

/** Bytes of input that blake2f takes; all else that it refuses is the last byte (EIP-152). */
const BLAKE2F_LENGTH = 213;
/** A BLS12-381 field element, and its zeros in front, in bytes. */
const ELEMENT_LENGTH = 64;
const ZEROS_LENGTH = 16;

/**
 * What a precompile found wrong with its input; undefined where EthereumJS does not say, as for want of gas.
 *
 * A text of EthereumJS' may stand for several faults, of which this is the usual one: a point outside its subgroup
 * counts as one off the curve, and so does one of bn254's G1 with a coordinate beyond the field; a KZG proof about what is
 * no scalar or point counts as one that does not hold.
 *
 * @param home - number of the address at which the precompile is at home
 */
export function precompileFault(text: string, home: number, data: Bytes): PrecompileFault | undefined {
  switch (text) {
    case texts.INVALID_INPUT_LENGTH:
    case texts.BLS_12_381_INPUT_EMPTY:
      return home === BN254_PAIRING ? "pairingLength" : "inputLength";
    case texts.OUT_OF_RANGE:
      return data.length === BLAKE2F_LENGTH ? "finalFlag" : "inputLength";
    case texts.BN254_FP_NOT_IN_FIELD:
      return "fieldElement";
    case texts.BLS_12_381_POINT_NOT_ON_CURVE:
      return hasLongElement(data, home) ? "fieldElementTopBytes" : "blsPoint";
    case texts.INVALID_COMMITMENT:
      return "versionedHash";
    case texts.INVALID_PROOF:
    case texts.INVALID_INPUTS:
      return "kzgProof";
    case texts.REVERT:
      return faultBehindRevert(home);
    default:
      return undefined;
  }
}

/** EthereumJS calls a precompile reverted whose library threw. */
function faultBehindRevert(home: number): PrecompileFault {
  if (home === KZG_EVALUATION) return "kzgProof";
  return home >= FIRST_BLS ? "fieldElement" : "bn254Point";
}

/** Some field element of a BLS12-381 precompile's input does not begin with zeros. Scalars are no field elements. */
function hasLongElement(data: Bytes, home: number): boolean {
  const elements = home === G1_MULTIPLICATION ? 2 : home === G2_MULTIPLICATION ? 4 : 1;
  const stride = elements * ELEMENT_LENGTH + (elements > 1 ? 32 : 0);
  for (let offset = 0; offset < data.length; offset += ELEMENT_LENGTH) {
    if (offset % stride === elements * ELEMENT_LENGTH) offset += 32;
    if (data.subarray(offset, offset + ZEROS_LENGTH).some((byte) => byte !== 0)) return true;
  }
  return false;
}
