/**
 * EthereumJS' `runInterpreter` without what it copies: it joins run state, result and environment into one object per
 * frame, which costs more than running a short frame (measured: 30 of 50 microseconds of an empty call).
 *
 * EthereumJS does not export its Interpreter. The class is taken from the first frame that runs through EthereumJS' own
 * `runInterpreter`; see EvmCore.
 */
import { type EVM, EVMError, type EVMRunCallOpts, type ExecResult, type Message } from "@ethereumjs/evm";
import { Account, createZeroAddress } from "@ethereumjs/util";
import { EMPTY_BYTES } from "../primitives/bytes.ts";
import { isEvmError } from "./evm-errors.ts";
import type { RunState } from "./evm-types.ts";

type Interpreter = RunState["interpreter"];
type Environment = Interpreter["_env"];

/** A message that calls an address. */
export type CalledMessage = LoadedMessage & { readonly to: NonNullable<Message["to"]> };

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

/** What a frame takes from the transaction and the block. */
export interface FrameContext {
  readonly block: NonNullable<EVMRunCallOpts["block"]>;
  readonly gasPrice: bigint;
  readonly origin: Environment["origin"];
}

/** A message whose code is loaded; creations are marked by EthereumJS. */
export type LoadedMessage = Message & { readonly isCreate?: boolean };

/**
 * Makes the run state of a message, and its interpreter.
 *
 * Not by EthereumJS' constructors: those allocate 8 KB of memory for every frame, which most never use.
 */
export async function makeRunState(
  evm: EVM,
  classes: FrameClasses,
  message: LoadedMessage,
  context: FrameContext,
): Promise<RunState> {
  const env = await environmentOf(evm, message, context);
  const interpreter = Object.create(classes.interpreter) as InterpreterMembers;
  const state: RunState = {
    programCounter: 0,
    opCode: 0xfe,
    memory: Object.assign(Object.create(classes.memory) as RunState["memory"], { _store: EMPTY_BYTES }),
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
    ...(message.createdAddresses === undefined ? {} : { createdAddresses: message.createdAddresses }),
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

async function environmentOf(evm: EVM, message: LoadedMessage, context: FrameContext): Promise<Environment> {
  const address = message.to ?? createZeroAddress();
  return {
    address,
    caller: message.caller,
    callData: message.data,
    callValue: message.value,
    code: message.code as Uint8Array,
    isStatic: message.isStatic,
    isCreate: message.isCreate ?? false,
    depth: message.depth,
    gasPrice: context.gasPrice,
    origin: context.origin,
    block: context.block,
    contract: (await evm.stateManager.getAccount(address)) ?? new Account(),
    codeAddress: message.codeAddress,
    gasRefund: message.gasRefund,
    blobVersionedHashes: message.blobVersionedHashes ?? [],
    ...(message.createdAddresses === undefined ? {} : { createdAddresses: message.createdAddresses }),
  };
}

/** The result of a frame that ended, thrown or not, as EthereumJS' EVM goes on with it. */
export function frameResult(state: RunState, gasLimit: bigint, thrown: unknown): ExecResult {
  if (thrown !== undefined && !isEvmError(thrown)) throw thrown;
  const { logs, returnValue = EMPTY_BYTES, selfdestruct, createdAddresses } = state.interpreter._result;
  const { gasLeft: gas, gasRefund } = state;
  const common = { returnValue, gas, gasRefund };
  if (thrown === undefined || thrown.error === EVMError.errorMessages.STOP) {
    const created = createdAddresses === undefined ? {} : { createdAddresses };
    return { ...common, logs, selfdestruct, ...created, executionGasUsed: gasLimit - gas };
  }
  const executionGasUsed = thrown.error === EVMError.errorMessages.REVERT ? gasLimit - gas : gasLimit;
  const nothing = { logs: [], selfdestruct: new Map(), createdAddresses: new Set<never>() };
  return { ...common, ...nothing, exceptionError: thrown, executionGasUsed };
}
