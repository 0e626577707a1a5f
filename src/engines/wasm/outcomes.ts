/** Converts the core's numbers of failures to those of `evm/frames.ts`. */
import {
  type FailureDetail,
  FRAME_ERRORS,
  type FrameError,
  GAS_CAUSES,
  type PrecompileFault,
} from "../../evm/frames.ts";
import { startsCreation } from "../../evm/opcodes.ts";
import * as Layout from "./core/machine/layout.ts";
import type { CoreInstance } from "./core-instance.ts";

/** The failure with a number of the core; undefined for 0, which is success. */
export function errorOf(number: number): FrameError | undefined {
  return FRAME_ERRORS[number - 1];
}

/** The number of a failure in the core. */
export function numberOf(error: FrameError): number {
  return FRAME_ERRORS.indexOf(error) + 1;
}

/** The number by which the core refers to a fault. Faults are numbered from 1 as they occur; 0 means none. */
export function numberOfFault({ faults }: CoreInstance, fault: PrecompileFault): number {
  const known = faults.indexOf(fault);
  return known < 0 ? faults.push(fault) : known + 1;
}

/** Addresses of the parts of a failure's detail. */
export interface DetailPlace {
  /** Flags of an event. */
  readonly flags: number;
  readonly detail: number;
  /** Address of the word with the size of init code. */
  readonly initCodeSize: number;
}

/** The detail of a failure, if it has one. */
export function detailOf(instance: CoreInstance, place: DetailPlace): FailureDetail | undefined {
  const { flags, detail } = place;
  if ((flags & Layout.EVENT_HAS_FAULT) !== 0) {
    const fault = instance.faults[detail - 1];
    return fault && { fault };
  }
  if ((flags & Layout.EVENT_HAS_DETAIL) === 0) return undefined;
  const opcode = detail & 0xff;
  const stackHeight = detail >>> 16;
  return {
    opcode,
    stackHeight,
    cause: GAS_CAUSES[((detail >>> 8) & 0xff) - 1],
    initCodeSize:
      startsCreation(opcode) && stackHeight >= CREATION_OPERANDS ? instance.word(place.initCodeSize) : undefined,
  };
}

/** The size of init code is the third operand. */
const CREATION_OPERANDS = 3;
