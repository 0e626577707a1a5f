/** The core's numbers for failures in the words of `evm/frames.ts`. */
import type { FailureDetail, FrameError, GasCause, PrecompileFault } from "../../evm/frames.ts";
import * as Layout from "./core/layout.ts";
import type { CoreInstance } from "./instance.ts";

const ERRORS: readonly (FrameError | undefined)[] = [
  undefined,
  "outOfGas",
  "codeStoreOutOfGas",
  "codeSizeExceeded",
  "initCodeSizeExceeded",
  "createCollision",
  "reverted",
  "invalidOpcode",
  "invalidJump",
  "stackUnderflow",
  "stackOverflow",
  "staticStateChange",
  "outOfBounds",
  "invalidCode",
  "precompileFailed",
  "insufficientBalance",
  "callTooDeep",
  "nonceOverflow",
  "valueOverflow",
];

const CAUSES: readonly (GasCause | undefined)[] = [
  undefined,
  "memoryOverflow",
  "gasOverflow",
  "reentrancySentry",
  "staticFrame",
];

/** The number of each fault to the core, which hands it through; 0 is none. */
const FAULT_NUMBERS: Readonly<Record<PrecompileFault, number>> = {
  inputLength: 1,
  pairingLength: 2,
  modexpLength: 3,
  finalFlag: 4,
  fieldElement: 5,
  fieldElementTopBytes: 6,
  bn254Point: 7,
  blsPoint: 8,
  bn254Subgroup: 9,
  blsG1Subgroup: 10,
  blsG2Subgroup: 11,
  versionedHash: 12,
  kzgScalar: 13,
  kzgUncompressed: 14,
  kzgPointEncoding: 15,
  kzgInfinity: 16,
  kzgFieldElement: 17,
  kzgPoint: 18,
  kzgSubgroup: 19,
  kzgProof: 20,
};
const FAULTS = new Map(Object.entries(FAULT_NUMBERS).map(([fault, number]) => [number, fault as PrecompileFault]));

export function errorOf(number: number): FrameError | undefined {
  return ERRORS[number];
}

export function numberOfFault(fault: PrecompileFault): number {
  return FAULT_NUMBERS[fault];
}

/** Where a failure's detail stands. */
export interface DetailPlace {
  /** Flags of an event. */
  readonly flags: number;
  readonly detail: number;
  /** Place of the word with the size of init code. */
  readonly initCodeSize: number;
}

/** The detail of a failure, if it has one. */
export function detailOf(instance: CoreInstance, place: DetailPlace): FailureDetail | undefined {
  const { flags, detail } = place;
  if ((flags & Layout.EVENT_HAS_FAULT) !== 0) {
    const fault = FAULTS.get(detail);
    return fault && { fault };
  }
  if ((flags & Layout.EVENT_HAS_DETAIL) === 0) return undefined;
  const opcode = detail & 0xff;
  const stackHeight = detail >>> 16;
  const isCreation = opcode === CREATE || opcode === CREATE2;
  return {
    opcode,
    stackHeight,
    cause: CAUSES[(detail >>> 8) & 0xff],
    initCodeSize: isCreation && stackHeight >= CREATION_OPERANDS ? instance.word(place.initCodeSize) : undefined,
  };
}

const CREATE = 0xf0;
const CREATE2 = 0xf5;
/** The size of init code is the third of them. */
const CREATION_OPERANDS = 3;
