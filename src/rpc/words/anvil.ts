/** Errors in the words of Anvil 1.7.1. */
import type { FrameError } from "../../evm/frames.ts";
import { readRevertData, type Wording, type WordsByCode, wordingOf } from "./words.ts";

/** revm's names of halts. */
const HALTS: Readonly<Partial<Record<FrameError, string>>> = {
  outOfGas: "OutOfGas",
  codeStoreOutOfGas: "OutOfGas",
  invalidOpcode: "InvalidFEOpcode",
  invalidJump: "InvalidJump",
  stackUnderflow: "StackUnderflow",
  stackOverflow: "StackOverflow",
  staticStateChange: "StateChangeDuringStaticCall",
  outOfBounds: "OutOfOffset",
  codeSizeExceeded: "CreateContractSizeLimit",
  invalidCode: "CreateContractStartingWithEF",
};

const WORDS: WordsByCode = {
  EXECUTION_REVERTED: (error) => {
    const read = readRevertData(error.data);
    if (read.kind === "panic") {
      return { message: `execution reverted: panic: ${read.text} (0x${read.code.toString(16).padStart(2, "0")})` };
    }
    const isCustom = read.kind === "other" && String(error.data).length >= 10;
    return isCustom ? { message: `execution reverted: custom error ${String(error.data).slice(0, 10)}` } : undefined;
  },
  EXECUTION_FAILED: ({ values }) => {
    const name = HALTS[values.halt as FrameError];
    return name === undefined ? undefined : { rpcCode: -32603, message: `EVM error ${name}` };
  },
  GAS_REQUIRED_EXCEEDS_ALLOWANCE: ({ what }) => {
    const allowance = /\((\d+)\)/.exec(what)?.[1];
    return { rpcCode: -32003, message: `Out of gas: gas required exceeds allowance: ${allowance}` };
  },
  NONCE_TOO_LOW: () => ({ rpcCode: -32003, message: "nonce too low" }),
  INSUFFICIENT_FUNDS: () => ({ rpcCode: -32003, message: "Insufficient funds for gas * price + value" }),
  FEE_CAP_BELOW_BASE_FEE: () => ({ rpcCode: -32003, message: "max fee per gas less than block base fee" }),
  INTRINSIC_GAS_TOO_LOW: () => ({ rpcCode: -32000, message: "intrinsic gas too low" }),
  GAS_LIMIT_EXCEEDS_BLOCK: () => ({
    rpcCode: -32000,
    message: "intrinsic gas too high -- tx.gas_limit > env.block.gas_limit",
  }),
  TIP_ABOVE_FEE_CAP: (_error, method) =>
    method.startsWith("eth_send")
      ? { rpcCode: -32003, message: "max priority fee per gas higher than max fee per gas" }
      : { rpcCode: -32602, message: "Invalid input: `max_priority_fee_per_gas` greater than `max_fee_per_gas`" },
  CALL_OF_ANOTHER_CHAIN: () => ({ rpcCode: -32003, message: "invalid chain id for signer" }),
  TRANSACTION_TYPE_NOT_SUPPORTED: ({ values: { unknownType } }) =>
    unknownType === undefined ? undefined : { rpcCode: -32602, message: "Failed to decode transaction" },
  AUTHORIZATION_LIST_INVALID: ({ values: { isEmpty } }) =>
    isEmpty === true ? { rpcCode: -32003, message: "empty authorization list" } : undefined,
  BLOCK_NOT_FOUND: ({ values: { block, head } }) =>
    block === undefined
      ? undefined
      : { rpcCode: -32602, message: `BlockOutOfRangeError: block height is ${head} but requested was ${block}` },
  TRANSACTION_INCONSISTENT: ({ values: { tip } }) =>
    tip === undefined
      ? undefined
      : { rpcCode: -32003, message: "max priority fee per gas higher than max fee per gas" },
  UNKNOWN_ACCOUNT: () => ({ rpcCode: -32602, message: "No Signer available" }),
  ALREADY_KNOWN: () => ({ rpcCode: -32003, message: "transaction already imported" }),
  REPLACEMENT_UNDERPRICED: () => ({ rpcCode: -32003, message: "replacement transaction underpriced" }),
  INIT_CODE_TOO_LARGE: () => ({ rpcCode: -32003, message: "max initcode size exceeded" }),
  UNDECODABLE_TRANSACTION: () => ({ rpcCode: -32602, message: "Failed to decode transaction" }),
  METHOD_NOT_FOUND: () => ({ message: "Method not found" }),
  HEADER_NOT_FOUND: ({ values: { block, head } }) => {
    if (typeof block === "string") return { rpcCode: -32001, message: "Resource not found", data: undefined };
    if (block === undefined) return undefined;
    const message = `BlockOutOfRangeError: block height is ${head} but requested was ${block}`;
    return { rpcCode: -32602, message, data: undefined };
  },
  INVALID_PARAMS: ({ values: { timestamp } }) =>
    timestamp === undefined
      ? undefined
      : { message: `Timestamp error: ${timestamp} is lower than previous block's timestamp` },
};

/** The wording of this client. */
export const anvilWords: Wording = wordingOf(WORDS);
