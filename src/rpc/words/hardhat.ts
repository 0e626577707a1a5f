/** Errors in the words of Hardhat 3.18.0, which its plugins and matchers parse. */
import type { ErrorWords, HindcastError } from "../../errors/hindcast-error.ts";
import { readRevertData, stackLines, type Wording, type WordsByCode, wordingOf } from "./words.ts";

const VM = "VM Exception while processing transaction: ";
const NO_REASON = "Transaction reverted without a reason string";

/** Hardhat's texts for Solidity's panic codes. */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x01n, "Assertion error"],
  [0x11n, "Arithmetic operation overflowed outside of an unchecked block"],
  [0x12n, "Division or modulo division by zero"],
  [0x21n, "Tried to convert a value into an enum, but the value was too big or negative"],
  [0x22n, "Incorrectly encoded storage byte array"],
  [0x31n, ".pop() was called on an empty array"],
  [0x32n, "Array accessed at an out-of-bounds or negative index"],
  [0x41n, "Too much memory was allocated, or an array was created that is too large"],
  [0x51n, "Called a zero-initialized variable of internal function type"],
]);

function revertText({ data, facts }: HindcastError): string {
  const read = readRevertData(data);
  switch (read.kind) {
    case "empty":
      return NO_REASON;
    case "reason":
      return `${VM}reverted with reason string '${read.text}'`;
    case "panic": {
      const meaning = PANICS.get(read.code) ?? "Unknown panic code";
      return `${VM}reverted with panic code 0x${read.code.toString(16)} (${meaning})`;
    }
    default: {
      const known = facts.customError?.();
      if (known === undefined) return `${VM}reverted with an unrecognized custom error (return data: ${String(data)})`;
      return `${VM}reverted with custom error '${known.name}(${known.args.map(shown).join(", ")})'`;
    }
  }
}

/** An argument as Hardhat shows it. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  return typeof value === "string" ? `"${value}"` : String(value);
}

function haltWords({ values }: HindcastError): ErrorWords {
  if (values.halt === "outOfGas" || values.halt === "codeStoreOutOfGas")
    return { message: "Transaction ran out of gas" };
  // Solidity's old assertions end in INVALID.
  if (values.halt === "invalidOpcode") return { rpcCode: 3, message: `${VM}invalid opcode` };
  return { rpcCode: 3, message: NO_REASON };
}

const AUTOMINE = "Note that transactions can't be queued when automining.";

const WORDS: WordsByCode = {
  // The name of a custom error may have to be read from a project's artifacts.
  EXECUTION_REVERTED: (error) => ({ message: () => `${revertText(error)}${stackLines(error)}` }),
  EXECUTION_FAILED: (error) => {
    const words = haltWords(error);
    return { ...words, message: `${words.message}${stackLines(error)}` };
  },
  GAS_REQUIRED_EXCEEDS_ALLOWANCE: () => ({ message: "Transaction ran out of gas" }),
  NONCE_TOO_LOW: ({ values: { expected, actual } }) =>
    expected === undefined
      ? undefined
      : { message: `Nonce too low. Expected nonce to be ${expected} but got ${actual}. ${AUTOMINE}` },
  NONCE_TOO_HIGH: ({ values: { expected, actual } }) =>
    expected === undefined
      ? undefined
      : { message: `Nonce too high. Expected nonce to be ${expected} but got ${actual}. ${AUTOMINE}` },
  INSUFFICIENT_FUNDS: ({ values: { cost, balance } }) =>
    cost === undefined
      ? { message: "Sender doesn't have enough funds to send tx." }
      : {
          message:
            `Sender doesn't have enough funds to send tx. The max upfront cost is: ${cost} and the sender's balance ` +
            `is: ${balance}.`,
        },
  INTRINSIC_GAS_TOO_LOW: requiredGas,
  FLOOR_GAS_TOO_LOW: requiredGas,
  GAS_LIMIT_EXCEEDS_CAP: ({ values: { gas, cap } }) =>
    gas === undefined
      ? undefined
      : { message: `Transaction gas limit is ${gas} and exceeds transaction gas cap of ${cap}` },
  GAS_LIMIT_EXCEEDS_BLOCK: ({ values: { gas, most } }) => ({
    message: `Transaction gas limit is ${gas} and exceeds block gas limit of ${most}`,
  }),
  TIP_ABOVE_FEE_CAP: tipAboveCap,
  TRANSACTION_INCONSISTENT: (error) => {
    const { chainId, own, isEmptyCreation } = error.values;
    if (isEmptyCreation === true) return { message: "Contract creation without any data provided" };
    if (chainId !== undefined) return wrongChain(error);
    return own === undefined ? tipAboveCap(error) : undefined;
  },
  WRONG_CHAIN_ID: wrongChain,
  FEE_CAP_BELOW_BASE_FEE: ({ values: { maxFeePerGas, baseFee, isLegacy } }) => ({
    message:
      `Transaction ${isLegacy === true ? "gasPrice" : "maxFeePerGas"} (${maxFeePerGas}) is too low for the next block, ` +
      `which has a baseFeePerGas of ${baseFee}`,
  }),
  UNKNOWN_ACCOUNT: ({ what }) => ({ message: what.replace("unknown account", "Unknown account") }),
  UNDECODABLE_TRANSACTION: ({ what }) => ({ rpcCode: -32602, message: what }),
  ALREADY_KNOWN: ({ facts }) => ({ message: `Known transaction: ${facts.transaction}` }),
  REPLACEMENT_UNDERPRICED: ({ values: { needed, nonce } }) => ({
    message:
      `Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least ${needed} is necessary to replace the ` +
      `existing transaction with nonce ${nonce}.`,
  }),
  METHOD_NOT_FOUND: (_error, method) => ({ rpcCode: -32004, message: `Method ${method} is not supported` }),
  HEADER_NOT_FOUND: ({ values: { block, head, isUnknownHash } }) => {
    if (isUnknownHash === true) return { rpcCode: -32602, message: "blockHash cannot be found", data: undefined };
    if (block === undefined) return undefined;
    return { message: `Received invalid block tag ${block}. Latest block number is ${head}`, data: undefined };
  },
  NOT_IN_THIS_HARDFORK: ({ what }) => ({ rpcCode: -32000, message: what }),
  INIT_CODE_TOO_LARGE: ({ values: { size, most } }) => ({
    rpcCode: -32602,
    message:
      `Trying to send a deployment transaction whose init code length is ${size}. The max length allowed by EIP-3860 is ` +
      `${most}.`,
  }),
  INVALID_PARAMS: (error) => {
    const { timestamp, head, nonce } = error.values;
    if (timestamp !== undefined) return { rpcCode: -32000, message: timeText(timestamp, head) };
    if (nonce !== undefined) return { rpcCode: -32000, message: error.what };
    const both = /both gasPrice and/.test(error.what);
    return both ? { rpcCode: -32000, message: "Cannot send both gasPrice and maxFeePerGas params" } : undefined;
  },
};

function requiredGas({ values: { gas, needed } }: HindcastError): ErrorWords {
  return { message: `Transaction requires at least ${needed} gas but got ${gas}` };
}

function tipAboveCap({ values: { tip, cap } }: HindcastError): ErrorWords | undefined {
  return tip === undefined
    ? undefined
    : { message: `maxPriorityFeePerGas (${tip}) is bigger than maxFeePerGas (${cap})` };
}

function wrongChain({ values: { chainId, own } }: HindcastError): ErrorWords {
  return { rpcCode: -32602, message: `Invalid chainId ${chainId} provided, expected ${own} instead.` };
}

function timeText(timestamp: unknown, head: unknown): string {
  if (timestamp !== head) return `Timestamp ${timestamp} is lower than the previous block's timestamp ${head}`;
  const fix = "Enable the 'allowBlocksWithSameTimestamp' option to allow this";
  return `Timestamp ${timestamp} is equal to the previous block's timestamp. ${fix}`;
}

/** The wording of this client. */
export const hardhatWords: Wording = wordingOf(WORDS);
