/** Outermost messages and their results, to and from EthereumJS' shapes. */
import { type EVMResult, Message } from "@ethereumjs/evm";
import { Address } from "@ethereumjs/util";
import type { FrameError } from "../evm/frames.ts";
import { EMPTY_BYTES } from "../primitives/bytes.ts";
import { decodeData, encodeData } from "../primitives/hex.ts";
import { creationErrorOf } from "./evm-errors.ts";
import type { FrameNotes } from "./evm-notes.ts";
import type { EvmMessage, EvmResult } from "./types.ts";

export function toCoreMessage(message: EvmMessage, caller: Address): Message {
  return new Message({
    caller,
    ...(message.to === undefined ? {} : { to: new Address(message.to) }),
    value: message.value,
    data: message.data,
    gasLimit: message.gasLimit,
    depth: 0,
    selfdestruct: new Map(),
    createdAddresses: new Set(),
    blobVersionedHashes: message.blobVersionedHashes.map(encodeData),
  });
}

/** What a result needs beyond itself to be translated. */
export interface ResultContext extends FrameNotes {
  /** EIP-6780: only accounts created in the transaction are destroyed. */
  readonly onlyCreatedAreDestroyed: boolean;
}

/** Translates a result. */
export function toEvmResult({ execResult, createdAddress }: EVMResult, context: ResultContext): EvmResult {
  const error = execResult.exceptionError && creationErrorOf(execResult.exceptionError.error, context.code);
  const destroyed = Array.from(execResult.selfdestruct?.keys() ?? []).filter(
    (address) => !context.onlyCreatedAreDestroyed || execResult.createdAddresses?.has(address) === true,
  );
  return {
    error,
    detail: error && context.detail,
    output: error === undefined || error === "reverted" ? execResult.returnValue : EMPTY_BYTES,
    gasUsed: execResult.executionGasUsed,
    gasRefund: execResult.gasRefund ?? 0n,
    logs: (execResult.logs ?? []).map(([address, topics, data]) => ({ address, topics, data })),
    createdAddress: createdAddress?.bytes,
    destroyed: destroyed.map(decodeData),
  };
}

/** Result of a message that EthereumJS refused before it could answer. */
export function refusedResult(error: FrameError, gasLimit: bigint): EvmResult {
  return {
    error,
    detail: undefined,
    output: EMPTY_BYTES,
    gasUsed: gasLimit,
    gasRefund: 0n,
    logs: [],
    createdAddress: undefined,
    destroyed: [],
  };
}
