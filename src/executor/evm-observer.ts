/**
 * Tells an OldEventSink what EthereumJS' EVM does: frames from `runCall`, everything else from the opcodes around it.
 *
 * Exists only while something is recorded.
 */
import type { EVMResult } from "@ethereumjs/evm";
import { type FrameError, FrameKind, type Log } from "../evm/frames.ts";
import { Op, startsFrame } from "../evm/opcodes.ts";
import { type Bytes, bigIntToFixedBytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import { MAX_UINT64 } from "../primitives/limits.ts";
import type { FrameMessage } from "./evm-environment.ts";
import { creationErrorOf } from "./evm-errors.ts";
import type { Frame } from "./evm-frame.ts";
import type { FrameNotes } from "./evm-notes.ts";
import type { OldEventSink, OldFrameStart } from "./old-events.ts";

/** Frames below the outermost one. */
export const CALL_DEPTH_LIMIT = 1024;
const ADDRESS_MASK = (1n << 160n) - 1n;

const KIND_OF: Readonly<Record<number, FrameKind>> = {
  [Op.CALL]: FrameKind.call,
  [Op.CALLCODE]: FrameKind.callCode,
  [Op.DELEGATECALL]: FrameKind.delegateCall,
  [Op.STATICCALL]: FrameKind.staticCall,
  [Op.CREATE]: FrameKind.create,
  [Op.CREATE2]: FrameKind.create2,
};

export class EvmObserver {
  readonly #sink: OldEventSink;
  readonly #isPrecompile: (address: Bytes) => boolean;
  /** Kind of the frame that the opcode now running is about to start. */
  #nextKind: FrameKind = FrameKind.call;
  #beneficiary: Bytes = EMPTY_BYTES;
  #balance = 0n;

  constructor(sink: OldEventSink, isPrecompile: (address: Bytes) => boolean) {
    this.#sink = sink;
    this.#isPrecompile = isPrecompile;
  }

  get wantsAccesses(): boolean {
    return this.#sink.wantsAccesses;
  }

  /** A message is about to run. */
  enter(message: FrameMessage): void {
    if (!this.#sink.wantsFrames) return;
    // EthereumJS' creations have no address yet, and their init code in `data`.
    const isCreation = message.isCreate === true || message.to === undefined;
    const kind = message.depth > 0 ? this.#nextKind : isCreation ? FrameKind.create : FrameKind.call;
    const runsForeignCode = kind === FrameKind.delegateCall || kind === FrameKind.callCode;
    const codeAddress = isCreation ? undefined : message.codeAddress.bytes;
    this.#sink.enterFrame({
      kind,
      depth: message.depth,
      from: runsForeignCode && message.to !== undefined ? message.to.bytes : message.caller.bytes,
      to: codeAddress,
      value: message.value,
      gas: message.gasLimit,
      input: message.isCreate === true ? (message.code as Bytes) : message.data,
      isPrecompile: codeAddress !== undefined && this.#isPrecompile(codeAddress),
    });
  }

  /** A message ended with a result. */
  exit(message: FrameMessage, result: EVMResult, { detail, code }: FrameNotes): void {
    if (!this.#sink.wantsFrames) return;
    const { execResult, createdAddress } = result;
    const error = execResult.exceptionError && creationErrorOf(execResult.exceptionError.error, code);
    const isUndeposited = error === undefined && execResult.exceptionError !== undefined;
    this.#sink.exitFrame({
      error,
      detail,
      gasUsed: execResult.executionGasUsed,
      output: error === undefined || error === "reverted" ? execResult.returnValue : EMPTY_BYTES,
      undeposited: isUndeposited ? code : undefined,
      createdAddress: createdAddress?.bytes,
      code: message.code instanceof Uint8Array && createdAddress === undefined ? message.code : EMPTY_BYTES,
    });
  }

  /** An outermost message was thrown out of EthereumJS instead of ending. */
  abandon(gasUsed: bigint, error: FrameError): void {
    if (!this.#sink.wantsFrames) return;
    this.#sink.exitFrame({
      error,
      detail: undefined,
      gasUsed,
      output: EMPTY_BYTES,
      undeposited: undefined,
      createdAddress: undefined,
      code: EMPTY_BYTES,
    });
  }

  /** A bridged opcode is next, and may yet be refused. */
  attempt(frame: Frame, opcode: number): void {
    if (!this.#sink.wantsRefusedAccesses) return;
    // As many items as geth's access list tracer asks for (eth/tracers/logger/access_list_tracer.go).
    if (frame.stackHeight >= (startsFrame(opcode) ? 5 : 1)) this.#reportAccess(frame, opcode);
  }

  /** A bridged opcode was paid for and is about to run. */
  before(frame: Frame, opcode: number): void {
    if (this.#sink.wantsAccesses) this.#reportAccess(frame, opcode);
    if (opcode === Op.SELFDESTRUCT) {
      this.#beneficiary = addressOperand(frame, 0);
      this.#balance = frame.state.env.contract.balance;
      return;
    }
    const kind = KIND_OF[opcode];
    if (kind === undefined) return;
    this.#nextKind = kind;
    const refusal = this.#sink.wantsFrames ? refusalOf(frame, kind) : undefined;
    if (refusal !== undefined) this.#refuse(frame, kind, refusal);
  }

  #refuse(frame: Frame, kind: FrameKind, refusal: FrameError): void {
    const start = describeFrame(frame, kind);
    this.#sink.refuseFrame({ ...start, isPrecompile: start.to !== undefined && this.#isPrecompile(start.to) }, refusal);
  }

  /** A bridged opcode ran to its end. */
  after(frame: Frame, opcode: number): void {
    if (opcode !== Op.SELFDESTRUCT || !this.#sink.wantsFrames) return;
    this.#sink.selfDestruct({
      address: frame.state.env.address.bytes,
      beneficiary: this.#beneficiary,
      balance: this.#balance,
    });
  }

  log(log: Log): void {
    if (this.#sink.wantsLogs) this.#sink.log(log);
  }

  #reportAccess(frame: Frame, opcode: number): void {
    switch (opcode) {
      case Op.SLOAD:
      case Op.SSTORE:
        this.#sink.accessSlot(frame.state.env.address.bytes, bigIntToFixedBytes(operand(frame, 0), 32));
        break;
      case Op.BALANCE:
      case Op.EXTCODESIZE:
      case Op.EXTCODECOPY:
      case Op.EXTCODEHASH:
      case Op.SELFDESTRUCT:
        this.#sink.accessAccount(addressOperand(frame, 0));
        break;
      default:
        if (startsFrame(opcode) && opcode !== Op.CREATE && opcode !== Op.CREATE2) {
          this.#sink.accessAccount(addressOperand(frame, 1));
        }
    }
  }
}

function operand(frame: Frame, index: number): bigint {
  return frame.stack[frame.stackHeight - 1 - index] as bigint;
}

function addressOperand(frame: Frame, index: number): Bytes {
  return bigIntToFixedBytes(operand(frame, index) & ADDRESS_MASK, 20);
}

/** Why EthereumJS will answer 0 without starting a frame, if it will. The same tests in the same order. */
function refusalOf(frame: Frame, kind: FrameKind): FrameError | undefined {
  const { env } = frame.state;
  if (env.depth >= CALL_DEPTH_LIMIT) return "callTooDeep";
  if (kind !== FrameKind.delegateCall && env.contract.balance < endowment(frame, kind)) return "insufficientBalance";
  return kind >= FrameKind.create && env.contract.nonce >= MAX_UINT64 ? "nonceOverflow" : undefined;
}

function endowment(frame: Frame, kind: FrameKind): bigint {
  if (kind === FrameKind.staticCall) return 0n;
  if (kind === FrameKind.delegateCall) return frame.state.env.callValue;
  return operand(frame, kind >= FrameKind.create ? 0 : 2);
}

/** The frame that a call opcode asks for, from its operands. */
function describeFrame(frame: Frame, kind: FrameKind): Omit<OldFrameStart, "isPrecompile"> {
  const { env, messageGasLimit } = frame.state;
  const isCreation = kind >= FrameKind.create;
  const value = endowment(frame, kind);
  const hasValueOperand = kind === FrameKind.call || kind === FrameKind.callCode;
  const first = isCreation ? 1 : hasValueOperand ? 3 : 2;
  const length = Number(operand(frame, first + 1));
  const offset = length === 0 ? 0 : Number(operand(frame, first));
  const stipend = hasValueOperand && value !== 0n ? 2300n : 0n;
  return {
    kind,
    depth: env.depth + 1,
    from: env.address.bytes,
    to: isCreation ? undefined : addressOperand(frame, 1),
    value,
    gas: (messageGasLimit ?? 0n) + stipend,
    input: frame.memory.subarray(offset, offset + length),
  };
}
