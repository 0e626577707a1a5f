/**
 * Calls that need not wait for anything, from the caller's side: what a call takes off its frame, and what it gives back.
 *
 * EthereumJS' handlers go through a dozen promises and copies for each frame. Here a call is one step of the run loop,
 * which goes on with the called frame and comes back to the caller's when that one has ended.
 */
import { EVMError, type ExecResult } from "@ethereumjs/evm";
import { Address } from "@ethereumjs/util";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import type { CallMessage } from "./call-message.ts";
import type { Frame, OpenCall } from "./evm-frame.ts";
import type { FrameHost } from "./evm-host.ts";
import { CALL_DEPTH_LIMIT } from "./evm-observer.ts";
import { markStep } from "./evm-steps.ts";
import { readInteger } from "./evm-words.ts";
import type { CallOpcode, CallPlan } from "./opcode-calls.ts";
import type { OpcodeEntry } from "./opcode-table.ts";

/** Gas that a called frame gets on top where value moves, not taken from the caller (yellow paper, G_callstipend). */
const STIPEND = 2300;

/**
 * Begins a call.
 *
 * @returns the frame to go on with: the called one, or the caller's where the call was refused or a precompile answered
 * it. Undefined, with nothing changed, where EthereumJS has to run it
 */
export function beginCall(frame: Frame, host: FrameHost, entry: OpcodeEntry): Frame | Promise<Frame> | undefined {
  const opcode = entry.call;
  if (opcode === undefined || frame.stackHeight < entry.minHeight) return undefined;
  const plan = opcode.plan(frame);
  if (plan === undefined) return undefined;
  chargeForFrame(frame, host, entry, plan);
  host.accesses.addWarmedAddress(plan.codeAddress);
  if (plan.delegate !== undefined) host.accesses.addWarmedAddress(plan.delegate);
  frame.stackHeight -= opcode.pops;
  if (plan.hasStipend) frame.gas += STIPEND;
  if (isRefused(frame, plan, opcode)) {
    frame.stack[frame.stackHeight++] = 0n;
    host.steps?.endStep(frame);
    return frame;
  }
  const { precompile, outOffset, outLength } = plan;
  const call = { message: messageOf(frame, plan, opcode), caller: frame, outOffset, outLength };
  if (precompile === undefined) return host.openFrame(call);
  const answer = host.callPrecompile(precompile, call.message);
  return answer instanceof Promise
    ? answer.then((result) => endCall(frame, call, host, result))
    : endCall(frame, call, host, answer);
}

/** What an opcode costs its frame that is about to start another. */
interface FramePrice {
  /** gas, without what the new frame is given */
  readonly cost: number;
  readonly gasLimit: bigint;
  /** Active memory from now on. */
  readonly memoryBytes: number;
}

/** Charges a frame for what is about to start another, and begins its step. The operands are still there. */
export function chargeForFrame(frame: Frame, host: FrameHost, entry: OpcodeEntry, price: FramePrice): void {
  const { steps } = host;
  if (steps !== undefined) {
    markStep(frame, entry);
    frame.stepCost = price.cost;
    frame.stepForwarded = Number(price.gasLimit);
    steps.beginStep(frame);
  }
  host.clock.budget -= entry.work;
  frame.gas -= price.cost;
  frame.pc++;
  frame.state.messageGasLimit = price.gasLimit;
  frame.state.returnBytes = EMPTY_BYTES;
  frame.extendMemory(price.memoryBytes);
  host.observer?.before(frame, entry.opcode);
}

/** Such a call starts no frame and leaves its gas with the caller. */
function isRefused({ env }: Frame, { value }: CallPlan, { isDelegate }: CallOpcode): boolean {
  return env.depth >= CALL_DEPTH_LIMIT || (!isDelegate && value > 0n && env.contract.balance < value);
}

function messageOf({ state, env, memory }: Frame, plan: CallPlan, opcode: CallOpcode): CallMessage {
  const { interpreter } = state;
  const { inOffset, inLength, gasLimit } = plan;
  const { selfdestruct, createdAddresses = new Set() } = interpreter._result;
  const called = new Address(plan.codeAddress);
  return {
    caller: opcode.isDelegate ? env.caller : env.address,
    to: opcode.runsForeignCode ? env.address : called,
    codeAddress: called,
    code: plan.code,
    value: plan.value,
    data: inLength === 0 ? EMPTY_BYTES : memory.subarray(inOffset, inOffset + inLength),
    gasLimit: plan.hasStipend ? gasLimit + BigInt(STIPEND) : gasLimit,
    gasRefund: state.gasRefund,
    depth: env.depth + 1,
    isStatic: opcode.isStatic || env.isStatic,
    isDelegate: opcode.isDelegate,
    isCreate: false,
    selfdestruct,
    createdAddresses,
    destroyedBefore: selfdestruct.size,
    createdBefore: createdAddresses.size,
    blobVersionedHashes: env.blobVersionedHashes,
  };
}

/** Ends a call or creation that a caller waits for, and gives the caller's frame. */
export function endCall(caller: Frame, call: OpenCall, host: FrameHost, result: ExecResult): Frame {
  const { exceptionError: error, returnValue } = result;
  const { message, outOffset, outLength } = call;
  caller.spend(result.executionGasUsed);
  if (error === undefined) takeOver(caller, result);
  // What init code returns has become code.
  if (error === undefined ? !message.isCreate : error.error === EVMError.errorMessages.REVERT) {
    caller.state.returnBytes = returnValue;
    if (outLength > 0) caller.memory.set(firstBytes(returnValue, outLength), outOffset);
  }
  caller.stack[caller.stackHeight++] = error === undefined ? answerOf(message) : 0n;
  host.steps?.endStep(caller);
  return caller;
}

/** What is left on the caller's stack by what succeeded. */
function answerOf({ isCreate, to }: CallMessage): bigint {
  return isCreate ? readInteger(to.bytes) : 1n;
}

/** At most so many bytes. A subarray costs more than copying what most calls give back. */
function firstBytes(bytes: Bytes, length: number): Bytes {
  return bytes.length <= length ? bytes : bytes.subarray(0, length);
}

/** What stands of a call that succeeded. */
function takeOver({ state, env }: Frame, { logs, gasRefund }: ExecResult): void {
  const { _result: result } = state.interpreter;
  if (logs !== undefined && logs.length > 0) result.logs = result.logs.concat(logs);
  state.gasRefund = gasRefund ?? 0n;
  env.forgetContract();
}
