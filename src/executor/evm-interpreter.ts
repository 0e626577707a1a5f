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

/** EthereumJS' class, by the parameters it is made with. */
export type InterpreterClass = new (
  evm: EVM,
  stateManager: EVM["stateManager"],
  blockchain: EVM["blockchain"],
  env: Environment,
  gasLeft: bigint,
  journal: EVM["journal"],
  performanceLogger: unknown,
) => Interpreter;

/** What a frame takes from the transaction and the block. */
export interface FrameContext {
  readonly block: NonNullable<EVMRunCallOpts["block"]>;
  readonly gasPrice: bigint;
  readonly origin: Environment["origin"];
}

/** A message whose code is loaded; creations are marked by EthereumJS. */
export type LoadedMessage = Message & { readonly isCreate?: boolean };

/** Makes the interpreter of a message, with its run state. */
export async function makeInterpreter(
  evm: EVM,
  create: InterpreterClass,
  message: LoadedMessage,
  context: FrameContext,
): Promise<Interpreter> {
  const address = message.to ?? createZeroAddress();
  const env = {
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
  const interpreter = new create(evm, evm.stateManager, evm.blockchain, env, message.gasLimit, evm.journal, undefined);
  if (message.selfdestruct !== undefined) interpreter._result.selfdestruct = message.selfdestruct;
  if (message.createdAddresses !== undefined) interpreter._result.createdAddresses = message.createdAddresses;
  return interpreter;
}

/** The result of a frame that ended, thrown or not, as EthereumJS' EVM goes on with it. */
export function frameResult(interpreter: Interpreter, state: RunState, gasLimit: bigint, thrown: unknown): ExecResult {
  if (thrown !== undefined && !isEvmError(thrown)) throw thrown;
  const { logs, returnValue = EMPTY_BYTES, selfdestruct, createdAddresses } = interpreter._result;
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

/** The run state that an interpreter keeps to itself. */
export function runStateOf(interpreter: Interpreter): RunState {
  return (interpreter as unknown as { readonly _runState: RunState })._runState;
}
