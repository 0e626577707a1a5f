/** Error texts of geth's EVM (core/vm/errors.go), with the numbers that they contain. */
import type { FailureDetail, FrameError, GasCause, PrecompileFault } from "../../evm/frames.ts";
import { instructionOf, isKnownOpcode } from "../../evm/instructions.ts";

const STACK_LIMIT = 1024;

const TEXTS: Readonly<Record<FrameError, string>> = {
  outOfGas: "out of gas",
  codeStoreOutOfGas: "contract creation code storage out of gas",
  codeSizeExceeded: "max code size exceeded",
  initCodeSizeExceeded: "max initcode size exceeded",
  createCollision: "contract address collision",
  reverted: "execution reverted",
  invalidOpcode: "invalid opcode: INVALID",
  invalidJump: "invalid jump destination",
  stackUnderflow: "stack underflow",
  stackOverflow: "stack limit reached 1024 (1023)",
  staticStateChange: "write protection",
  outOfBounds: "return data out of bounds",
  invalidCode: "invalid code: must not begin with 0xef",
  precompileFailed: "invalid input length",
  insufficientBalance: "insufficient balance for transfer",
  callTooDeep: "max call depth exceeded",
  nonceOverflow: "nonce uint64 overflow",
  valueOverflow: "insufficient balance for transfer",
  internal: "internal error",
};

const GAS_CAUSES: Readonly<Record<GasCause, string>> = {
  memoryOverflow: "gas uint64 overflow",
  gasOverflow: "out of gas: gas uint64 overflow",
  reentrancySentry: "out of gas: not enough gas for reentrancy sentry",
  staticFrame: "out of gas",
};

/** geth's texts for failures of precompiles (core/vm/contracts.go; its curves are gnark-crypto's, its KZG go-kzg's). */
const PRECOMPILE_TEXTS: Readonly<Record<PrecompileFault, string>> = {
  inputLength: "invalid input length",
  pairingLength: "bad elliptic curve pairing size",
  finalFlag: "invalid final flag",
  fieldElement: "invalid fp.Element encoding",
  fieldElementTopBytes: "invalid field element top bytes",
  modexpLength: "one or more of base/exponent/modulus length exceeded 1024 bytes",
  bn254Point: "point is not on curve",
  bn254Subgroup: "point is not in correct subgroup",
  blsPoint: "invalid point: not on curve",
  blsG1Subgroup: "g1 point is not on correct subgroup",
  blsG2Subgroup: "g2 point is not on correct subgroup",
  versionedHash: "mismatched versioned hash",
  kzgProof: "error verifying kzg proof: can't verify opening proof",
  kzgScalar: "error verifying kzg proof: scalar is not canonical when interpreted as a big integer in big-endian",
  kzgUncompressed: "error verifying kzg proof: short buffer",
  kzgPointEncoding: "error verifying kzg proof: invalid point encoding",
  kzgInfinity: "error verifying kzg proof: invalid infinity point encoding",
  kzgFieldElement: "error verifying kzg proof: invalid fp.Element encoding",
  kzgPoint: "error verifying kzg proof: invalid compressed coordinate: square root doesn't exist",
  kzgSubgroup: "error verifying kzg proof: invalid point: subgroup check failed",
};

/** geth's text for the failure of a frame. */
export function gethErrorText(error: FrameError, detail: FailureDetail | undefined): string {
  if (detail === undefined) return TEXTS[error];
  if ("fault" in detail) return PRECOMPILE_TEXTS[detail.fault];
  const { pops, pushes } = instructionOf(detail.opcode);
  switch (error) {
    case "outOfGas":
      return detail.cause === undefined ? TEXTS.outOfGas : GAS_CAUSES[detail.cause];
    case "initCodeSizeExceeded":
      return `out of gas: max initcode size exceeded: size ${detail.initCodeSize}`;
    case "invalidOpcode":
      return `invalid opcode: ${gethOpcodeName(detail.opcode)}`;
    case "stackUnderflow":
      return `stack underflow (${detail.stackHeight} <=> ${pops})`;
    case "stackOverflow":
      return `stack limit reached ${detail.stackHeight} (${STACK_LIMIT + pops - pushes})`;
    default:
      return TEXTS[error];
  }
}

const OPCODE_NAMES: readonly string[] = Array.from({ length: 256 }, (_, opcode) =>
  isKnownOpcode(opcode) ? instructionOf(opcode).name : `opcode 0x${opcode.toString(16)} not defined`,
);

/** geth's name of an opcode in struct logs and error texts. */
export function gethOpcodeName(opcode: number): string {
  return OPCODE_NAMES[opcode] as string;
}
