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
  const { steps } = host;
  if (steps !== undefined) {
    markStep(frame, entry);
    frame.stepCost = plan.cost;
    frame.stepForwarded = Number(plan.gasLimit);
    steps.beginStep(frame);
  }
  host.clock.budget -= entry.work;
  frame.gas -= plan.cost;
  frame.pc++;
  frame.state.messageGasLimit = plan.gasLimit;
  frame.state.returnBytes = EMPTY_BYTES;
  frame.extendMemory(plan.memoryBytes);
  host.accesses.addWarmedAddress(plan.codeAddress);
  host.observer?.before(frame, entry.opcode);
  frame.stackHeight -= opcode.pops;
  if (plan.hasStipend) frame.gas += STIPEND;
  if (isRefused(frame, plan, opcode)) {
    frame.stack[frame.stackHeight++] = 0n;
    steps?.endStep(frame);
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
    selfdestruct,
    createdAddresses,
    destroyedBefore: selfdestruct.size,
    createdBefore: createdAddresses.size,
    blobVersionedHashes: env.blobVersionedHashes,
  };
}

/** Ends a call that a caller waits for, and gives the caller's frame. */
export function endCall(caller: Frame, { outOffset, outLength }: OpenCall, host: FrameHost, result: ExecResult): Frame {
  const { exceptionError: error, returnValue } = result;
  caller.spend(result.executionGasUsed);
  if (error === undefined) takeOver(caller, result);
  if (error === undefined || error.error === EVMError.errorMessages.REVERT) {
    caller.state.returnBytes = returnValue;
    if (outLength > 0) caller.memory.set(firstBytes(returnValue, outLength), outOffset);
  }
  caller.stack[caller.stackHeight++] = error === undefined ? 1n : 0n;
  host.steps?.endStep(caller);
  return caller;
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
