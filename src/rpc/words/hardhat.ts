/** Errors in the words of Hardhat 3.18.0, which its plugins and matchers parse. */
import type { ErrorWords, HindcastError } from "../../errors/hindcast-error.ts";
import { hardhatParamWords } from "./hardhat-params.ts";
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
  if (values.halt === "codeSizeExceeded") {
    return { rpcCode: 3, message: "Transaction reverted: trying to deploy a contract whose code is too large" };
  }
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
    const { chainId, own, isEmptyCreation, isBlobs } = error.values;
    if (isBlobs === true) return { message: blobText("transaction", 5023) };
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
  REPLACEMENT_UNDERPRICED: ({ values: { needed, nonce, isTip } }) => ({
    message:
      `Replacement transaction underpriced. A gasPrice/${isTip === true ? "maxPriorityFeePerGas" : "maxFeePerGas"} of at ` +
      `least ${needed} is necessary to replace the existing transaction with nonce ${nonce}.`,
  }),
  METHOD_NOT_FOUND: (_error, method) => ({ rpcCode: -32004, message: `Method ${method} is not supported` }),
  HEADER_NOT_FOUND: ({ values: { block, head, isUnknownHash } }) => {
    if (isUnknownHash === true) return { rpcCode: -32602, message: "blockHash cannot be found", data: undefined };
    return block === undefined ? undefined : noBlock(block, head);
  },
  BLOCK_NOT_FOUND: ({ values: { block, head } }) => (block === undefined ? undefined : noBlock(block, head)),
  FEE_HISTORY_BEYOND_HEAD: ({ values: { block, head } }) => noBlock(block, head),
  INVALID_REWARD_PERCENTILE: ({ values: { position, percentile } }) => {
    if (position === undefined) return undefined;
    if (percentile === undefined) {
      const order = "The reward percentiles should be in non-decreasing order";
      return { message: `${order}, but the percentile number ${position} is greater than the next one` };
    }
    const bounds = "It must be a float between 0 and 100";
    return { message: `The reward percentile number ${position} is invalid. ${bounds}, but is ${percentile} instead.` };
  },
  TRANSACTION_NOT_FOUND: ({ values: { transaction } }) =>
    transaction === undefined ? undefined : { message: `Unable to find a block containing transaction ${transaction}` },
  TRANSACTION_TYPE_NOT_SUPPORTED: ({ values: { unknownType } }) =>
    unknownType === undefined ? undefined : { rpcCode: -32602, message: `Invalid transaction type ${unknownType}.` },
  BLOB_TRANSACTION_INVALID: ({ values: { isCall } }) =>
    isCall === true ? { message: blobText("call request", 5182) } : undefined,
  SIGNING_BLOBS: () => ({ message: blobText("transaction", 5023) }),
  AUTHORIZATION_LIST_INVALID: ({ values: { isEmpty } }) =>
    isEmpty === true ? { message: "Invalid EIP-7702 transaction: authorization list is empty." } : undefined,
  STATE_OVERRIDE_INVALID: ({ what }, method) => {
    if (!what.endsWith("has both 'state' and 'stateDiff'")) return undefined;
    const when = `when configuring the state override set passed to the ${method} method.`;
    return { message: `The properties 'state' and 'stateDiff' cannot be used simultaneously ${when}` };
  },
  NO_SUCH_SUBSCRIPTION: () => ({ rpcCode: -32602, message: "Invalid subscription type" }),
  NOT_IN_THIS_HARDFORK: ({ what }) => {
    const isLondon = what.startsWith("setNextBlockBaseFeePerGas");
    const message = isLondon ? "setNextBlockBaseFeePerGas is disabled because EIP-1559 is not active" : what;
    return { rpcCode: -32000, message: `hardhat_${message}` };
  },
  INIT_CODE_TOO_LARGE: ({ values: { size, most } }) =>
    size === undefined
      ? { message: "create initcode size limit" }
      : {
          rpcCode: -32602,
          message:
            `Trying to send a deployment transaction whose init code length is ${size}. The max length allowed by ` +
            `EIP-3860 is ${most}.`,
        },
  INVALID_PARAMS: (error, method) => {
    const { timestamp, head, nonce, gasLimit, blockCount, isPoolFilled } = error.values;
    if (timestamp !== undefined) return { rpcCode: -32000, message: timeText(timestamp, head) };
    if (nonce !== undefined || blockCount !== undefined) return { rpcCode: -32000, message: error.what };
    if (gasLimit !== undefined) return { rpcCode: -32000, message: error.what.replace(/\.$/, "") };
    if (isPoolFilled === true) return { rpcCode: -32603, message: error.what };
    return hardhatParamWords(error, method);
  },
};

function noBlock(block: unknown, head: unknown): ErrorWords {
  return { message: `Received invalid block tag ${block}. Latest block number is ${head}`, data: undefined };
}

function blobText(subject: string, issue: number): string {
  return (
    `An EIP-4844 (shard blob) ${subject} was received, but Hardhat only supports them via \`eth_sendRawTransaction\`. ` +
    `See https://github.com/NomicFoundation/hardhat/issues/${issue}`
  );
}

function requiredGas({ values: { gas, needed } }: HindcastError): ErrorWords {
  return { message: `Transaction requires at least ${needed} gas but got ${gas}` };
}

function tipAboveCap({ values: { tip, cap } }: HindcastError): ErrorWords | undefined {
  return tip === undefined
    ? undefined
    : { message: `maxPriorityFeePerGas (${tip}) is bigger than maxFeePerGas (${cap})` };
}

function wrongChain({ values: { chainId, own, type } }: HindcastError): ErrorWords {
  // Only of raw transactions is the type known.
  if (type === 0) {
    const message = "Trying to send an incompatible EIP-155 transaction, signed for another chain.";
    return { rpcCode: -32602, message };
  }
  if (type !== undefined) {
    const begin = "Trying to send a raw transaction with an invalid chainId.";
    return { rpcCode: -32602, message: `${begin} The expected chainId is ${own}` };
  }
  return { rpcCode: -32602, message: `Invalid chainId ${chainId} provided, expected ${own} instead.` };
}

function timeText(timestamp: unknown, head: unknown): string {
  if (timestamp !== head) return `Timestamp ${timestamp} is lower than the previous block's timestamp ${head}`;
  const fix = "Enable the 'allowBlocksWithSameTimestamp' option to allow this";
  return `Timestamp ${timestamp} is equal to the previous block's timestamp. ${fix}`;
}

/** The wording of this client. */
export const hardhatWords: Wording = wordingOf(WORDS);
