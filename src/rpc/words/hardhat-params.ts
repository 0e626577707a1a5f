/** Refusals of params in the words of Hardhat 3.18.0. Hardhat adds the place in the request's text, which is left out. */
import type { ErrorWords, HindcastError } from "../../errors/hindcast-error.ts";

/** Methods whose params Hardhat checks by the names of JSON-RPC's types; it has others for the rest. */
const NAMED =
  /^(?:hardhat_(?:setBalance|setCode|setNonce|setStorageAt|impersonateAccount|stopImpersonatingAccount)|eth_get)/;
/** The shape of a pair that descends. */
const DESCENDING = "expected the fewest before the most";
/** Methods that take a time. */
const TIMES: ReadonlySet<string> = new Set(["evm_increaseTime", "evm_mine", "evm_setNextBlockTimestamp"]);

/** The words for `INVALID_PARAMS`; undefined for an error for which Hardhat has no text of its own. */
export function hardhatParamWords({ what, values }: HindcastError, method: string): ErrorWords | undefined {
  const { expected, received, bytes } = values;
  if (what.includes("both gasPrice and")) {
    const tip = values.isTip === true;
    return {
      rpcCode: -32000,
      message: `Cannot send both gasPrice and ${tip ? "maxPriorityFeePerGas" : "maxFeePerGas params"}`,
    };
  }
  if (what.includes("cannot specify both blockHash and fromBlock/toBlock"))
    return { message: "blockHash is mutually exclusive with fromBlock/toBlock" };
  if (what.endsWith("cannot be dropped because it is already mined."))
    return { message: what.replace("it is already mined.", "it's already mined") };
  if (method.startsWith("eth_signTypedData")) return { message: "The message parameter is an invalid JSON." };
  if (expected === DESCENDING) return { message: "Minimum value in range is greater than maximum value" };
  if (bytes !== undefined) return wordLength(method, received, bytes);
  if (expected === undefined) return undefined;
  if (TIMES.has(method)) return { message: "Timestamp must be a non-negative number not exceeding 2^64 - 1" };
  return NAMED.test(method) ? namedValue(String(expected), received, method) : undefined;
}

function wordLength(method: string, received: unknown, bytes: unknown): ErrorWords {
  if (!method.endsWith("setStorageAt")) return { message: "Invalid string length" };
  const message = `Storage value must be exactly 32 bytes long. Received ${received}, which is ${bytes} bytes long.`;
  return { rpcCode: -32000, message };
}

function namedValue(expected: string, received: unknown, method: string): ErrorWords | undefined {
  if (received === undefined) return undefined;
  if (typeof received !== "string") return { message: `This method only supports strings but input was: ${received}` };
  const isHex = /^0x[0-9a-f]+$/i.test(received);
  if (method === "hardhat_setNonce" && isHex && received.length > 18 && !expected.startsWith("expected an address")) {
    return { message: `Nonce must not be greater than or equal to 2^64. Received ${received}` };
  }
  if (expected.startsWith("expected a word") && isHex) {
    const isValue = received.length > 66 && received.length % 2 === 0 && received.startsWith("0x0");
    if (isValue) return wordLength(method, received, (received.length - 2) / 2);
    const message = `Storage key must not be greater than or equal to 2^256. Received ${received}.`;
    return { rpcCode: -32000, message };
  }
  if (expected.startsWith("expected a storage slot")) {
    const bound = 'Storage slot argument must have a length of at most 66 ("0x" + 32 bytes)';
    return { message: `${bound}, but '${received}' has a length of ${received.length}'` };
  }
  const type = TYPES.find(([begin]) => expected.startsWith(begin))?.[1];
  return type === undefined ? undefined : { message: `invalid value "${received}" supplied to : ${type}` };
}

const TYPES: readonly (readonly [begin: string, type: string])[] = [
  ["expected an address", "ADDRESS"],
  ["expected a number", "QUANTITY"],
  ["expected a count", "QUANTITY"],
  ["expected a QUANTITY", "QUANTITY"],
  ["expected a word", "DATA"],
  ["expected DATA such as", "DATA"],
];
