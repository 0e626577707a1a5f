/**
 * The opcode table of one hardfork: EthereumJS' own entries, with plain opcodes and their gas replaced by ours.
 *
 * An entry is either plain (`run`, no waiting, needs only its frame) or bridged (`entry`, EthereumJS' handlers).
 */
import type { Common } from "@ethereumjs/common";
import { instructionOf } from "../evm/instructions.ts";
import { Op, startsFrame } from "../evm/opcodes.ts";
import { creationHandler } from "./bridged-creates.ts";
import type { Frame } from "./evm-frame.ts";
import type { OpcodeMapEntry } from "./evm-types.ts";
import { type CallOpcode, callOpcodes } from "./opcode-calls.ts";
import { type CreateOpcode, createOpcodes } from "./opcode-creates.ts";
import { FOREIGN_CODE_HANDLERS } from "./opcode-foreign-code.ts";
import { type PlainGas, plainGas } from "./opcode-gas.ts";
import { PLAIN_HANDLERS, type PlainHandler } from "./opcode-handlers.ts";
import { logOpcodes } from "./opcode-logs.ts";
import { stateOpcodes } from "./opcode-state.ts";

const STACK_LIMIT = 1024;

export interface OpcodeEntry {
  readonly opcode: number;
  /** Static gas. */
  readonly fee: number;
  readonly isInvalid: boolean;
  /** Stack heights at which the opcode may run. */
  readonly minHeight: number;
  readonly maxHeight: number;
  /** Rough work in nanoseconds, see ExecutionClock; `workPerGas` applies to the dynamic part. */
  readonly work: number;
  readonly workPerGas: number;
  /** Gas on top of the static fee, for plain opcodes; NaN where the bridge must find it. */
  readonly gas: PlainGas | undefined;
  /** Undefined for bridged opcodes. */
  readonly run: PlainHandler | undefined;
  /** Present for call opcodes that need not go over the bridge. */
  readonly call: CallOpcode | undefined;
  /** The same for CREATE and CREATE2. */
  readonly creation: CreateOpcode | undefined;
  readonly bridged: OpcodeMapEntry;
}

/** Opcodes that need no state and wait for nothing, although EthereumJS declares some of them async. */
const STATELESS: ReadonlySet<number> = new Set([
  0x05, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x1a, 0x1d, 0x1e, 0x32, 0x38, 0x3a, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47,
  0x48, 0x49, 0x4a, 0x5c, 0x5d, 0x5e,
]);

/** Builds the table from EthereumJS' table of the same hardfork. */
export function buildOpcodeTable(opcodeMap: readonly OpcodeMapEntry[], common: Common): readonly OpcodeEntry[] {
  const gas = plainGas(common);
  const state = new Map([...stateOpcodes(common), ...logOpcodes(common)]);
  const fees = (opcode: number): number => opcodeMap[opcode]?.opcodeInfo.fee ?? 0;
  const calls = callOpcodes(common, fees);
  const creations = createOpcodes(common, fees);
  return opcodeMap.map((bridged, opcode) => {
    const { isInvalid, fee } = bridged.opcodeInfo;
    const shape = isInvalid ? { pops: 0, pushes: 0 } : instructionOf(opcode);
    const stateful = isInvalid ? undefined : state.get(opcode);
    const run = isInvalid ? undefined : (stateful?.run ?? plainHandler(opcode, bridged, common));
    return {
      opcode,
      fee,
      isInvalid,
      minHeight: shape.pops,
      maxHeight: STACK_LIMIT + shape.pops - shape.pushes,
      work: workOf(opcode, run === undefined, stateful !== undefined),
      workPerGas: opcode === Op.KECCAK256 ? 50 : 10,
      gas: stateful?.gas ?? gas.get(opcode),
      run,
      call: isInvalid ? undefined : calls.get(opcode),
      creation: isInvalid ? undefined : creations.get(opcode),
      bridged: withOwnHandler(opcode, bridged),
    };
  });
}

/** EthereumJS' entry, but for opcodes by which it shows formats of code that no hardfork has. */
function withOwnHandler(opcode: number, { opcodeInfo, opHandler, gasHandler }: OpcodeMapEntry): OpcodeMapEntry {
  const isCreation = opcode === Op.CREATE || opcode === Op.CREATE2;
  const handler = isCreation ? creationHandler(opcode, opHandler) : FOREIGN_CODE_HANDLERS.get(opcode);
  return { opcodeInfo, opHandler: opcodeInfo.isInvalid ? opHandler : (handler ?? opHandler), gasHandler };
}

function workOf(opcode: number, isBridged: boolean, isStateful: boolean): number {
  if (startsFrame(opcode)) return 20_000;
  if (isBridged) return 3000;
  return isStateful ? 1000 : 30;
}

function plainHandler(opcode: number, bridged: OpcodeMapEntry, common: Common): PlainHandler | undefined {
  const own = PLAIN_HANDLERS.get(opcode);
  if (own !== undefined) return own;
  if (!STATELESS.has(opcode)) return undefined;
  const handler = bridged.opHandler;
  return (frame: Frame) => {
    frame.allocateMemory();
    frame.release();
    handler(frame.state, common);
    frame.reclaim();
  };
}
