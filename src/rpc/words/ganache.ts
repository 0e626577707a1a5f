/** Errors in the words of Ganache 7.9.2. */
import type { FrameError } from "../../evm/frames.ts";
import { readRevertData, type Wording, type WordsByCode, wordingOf } from "./words.ts";

const VM = "VM Exception while processing transaction: ";

/** EthereumJS' names of halts. */
const HALTS: Readonly<Partial<Record<FrameError, string>>> = {
  outOfGas: "out of gas",
  codeStoreOutOfGas: "code store out of gas",
  invalidOpcode: "invalid opcode",
  invalidJump: "invalid JUMP",
  stackUnderflow: "stack underflow",
  stackOverflow: "stack overflow",
  staticStateChange: "static state change",
  outOfBounds: "value out of range",
  insufficientBalance: "insufficient balance",
};

const WORDS: WordsByCode = {
  EXECUTION_REVERTED: (error, method) => {
    const read = readRevertData(error.data);
    const reason = read.kind === "reason" ? read.text : null;
    const message = reason === null ? `${VM}revert` : `${VM}revert ${reason}`;
    if (method === "eth_call") return { rpcCode: -32000, message };
    const hash = error.facts.transaction ?? null;
    return { rpcCode: -32000, message, data: { hash, result: error.data, reason, message: "revert" } };
  },
  EXECUTION_FAILED: ({ values }) => {
    const name = HALTS[values.halt as FrameError];
    return name === undefined ? undefined : { rpcCode: -32000, message: `${VM}${name}` };
  },
  NONCE_TOO_LOW: ({ values: { expected, actual } }) => ({
    message: `the tx doesn't have the correct nonce. account has nonce of: ${expected} tx has nonce of: ${actual}`,
  }),
  INSUFFICIENT_FUNDS: ({ values: { cost } }) =>
    // Only the pool names the cost; a call lacks the balance when it runs.
    cost === undefined
      ? { message: `${VM}insufficient balance`, data: "0x" }
      : { rpcCode: -32003, message: "insufficient funds for gas * price + value" },
  FEE_CAP_BELOW_BASE_FEE: ({ values: { maxFeePerGas, baseFee } }) => ({
    message: `${VM}Transaction's maxFeePerGas (${maxFeePerGas}) is less than the block's baseFeePerGas (${baseFee})`,
  }),
  INTRINSIC_GAS_TOO_LOW: () => ({ message: "intrinsic gas too low" }),
  GAS_LIMIT_EXCEEDS_BLOCK: () => ({ message: "exceeds block gas limit" }),
  UNKNOWN_ACCOUNT: (_error, method) => {
    if (method === "personal_unlockAccount") return { message: "no key for given address or file" };
    const signs = method === "personal_sign" || (method.startsWith("eth_sign") && method !== "eth_signTransaction");
    return { message: signs ? "cannot sign data; no private key" : "sender account not recognized" };
  },
  ALREADY_KNOWN: () => ({ rpcCode: -32003, message: "transaction underpriced" }),
  REPLACEMENT_UNDERPRICED: () => ({ rpcCode: -32003, message: "transaction underpriced" }),
  METHOD_NOT_FOUND: (_error, method) => ({ message: `The method ${method} does not exist/is not available` }),
  WRONG_PASSPHRASE: () => ({ message: "could not decrypt key with given passphrase" }),
};

/** The wording of this client. */
export const ganacheWords: Wording = wordingOf(WORDS);
