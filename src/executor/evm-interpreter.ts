/**
 * EthereumJS' `runInterpreter` without what it copies: it joins run state, result and environment into one object per
 * frame, which costs more than running a short frame (measured: 30 of 50 microseconds of an empty call).
 *
 * EthereumJS does not export its Interpreter. The class is taken from the first frame that runs through EthereumJS' own
 * `runInterpreter`; see EvmCore.
 */
import { type EVM, EVMError, type ExecResult } from "@ethereumjs/evm";
import { createZeroAddress } from "@ethereumjs/util";
import { EMPTY_BYTES } from "../primitives/bytes.ts";
import {
  type Environment,
  type FrameContext,
  FrameEnvironment,
  type FrameMessage,
  type FrameState,
} from "./evm-environment.ts";
import type { RunState } from "./evm-types.ts";

type Interpreter = RunState["interpreter"];

/** The classes behind a running frame, which EthereumJS does not export. */
export interface FrameClasses {
  readonly interpreter: Interpreter;
  readonly memory: object;
  readonly stack: new () => RunState["stack"];
}

/** The classes, from a frame that EthereumJS made. */
export function frameClassesOf(state: RunState): FrameClasses {
  return {
    interpreter: Object.getPrototypeOf(state.interpreter) as Interpreter,
    memory: Object.getPrototypeOf(state.memory) as object,
    stack: state.stack.constructor as new () => RunState["stack"],
  };
}

/**
 * Makes the run state of a message, and its interpreter.
 *
 * Not by EthereumJS' constructors: those allocate 8 KB of memory for every frame, which most never use.
 */
export function makeRunState(
  evm: EVM,
  classes: FrameClasses,
  message: FrameMessage,
  context: FrameContext,
): FrameState {
  const env = new FrameEnvironment(message, message.to ?? createZeroAddress(), context);
  const interpreter = Object.create(classes.interpreter) as InterpreterMembers;
  const memory = Object.create(classes.memory) as RunState["memory"];
  memory._store = EMPTY_BYTES;
  const state: FrameState = {
    programCounter: 0,
    opCode: 0xfe,
    memory,
    memoryWordCount: 0n,
    highestMemCost: 0n,
    stack: new classes.stack(),
    code: env.code,
    validJumps: EMPTY_BYTES,
    cachedPushes: {},
    stateManager: evm.stateManager,
    blockchain: evm.blockchain,
    env,
    shouldDoJumpAnalysis: true,
    interpreter: interpreter as unknown as Interpreter,
    gasRefund: env.gasRefund,
    gasLeft: message.gasLimit,
    stateGasSpilled: 0n,
    returnBytes: EMPTY_BYTES,
  };
  interpreter._evm = evm;
  interpreter._stateManager = evm.stateManager;
  interpreter.common = evm.common;
  interpreter._runState = state;
  interpreter.journal = evm.journal;
  interpreter._env = env;
  interpreter._result = {
    logs: [],
    selfdestruct: message.selfdestruct ?? new Map(),
    createdAddresses: env.createdAddresses,
  };
  return state;
}

/** All that EthereumJS' interpreter has, some of it to itself. */
interface InterpreterMembers {
  _evm: EVM;
  _env: Environment;
  _result: Interpreter["_result"];
  _runState: RunState;
  _stateManager: EVM["stateManager"];
  common: EVM["common"];
  journal: EVM["journal"];
}

/** The result of a frame that ended, by an error or not, as EthereumJS' EVM goes on with it. */
export function frameResult(state: RunState, gasLimit: bigint, error: EVMError | undefined): ExecResult {
  const result = state.interpreter._result;
  const { gasLeft: gas, gasRefund } = state;
  const returnValue = result.returnValue ?? EMPTY_BYTES;
  if (error === undefined) {
    const { logs, selfdestruct, createdAddresses = new Set() } = result;
    return { returnValue, gas, gasRefund, logs, selfdestruct, createdAddresses, executionGasUsed: gasLimit - gas };
  }
  return {
    returnValue,
    gas,
    gasRefund,
    logs: [],
    selfdestruct: new Map(),
    createdAddresses: new Set(),
    exceptionError: error,
    executionGasUsed: error.error === EVMError.errorMessages.REVERT ? gasLimit - gas : gasLimit,
  };
}
