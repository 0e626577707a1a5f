// Our stack traces in the words of EDR's cases.
import { getAddress, Interface } from "ethers";

const TYPES = {
  panic: "PANIC_ERROR",
  customError: "CUSTOM_ERROR",
  revert: "REVERT_ERROR",
  invalidOpcode: "REVERT_ERROR",
  noReceive: "FALLBACK_NOT_PAYABLE_AND_NO_RECEIVE_ERROR",
  unknownSelector: "UNRECOGNIZED_FUNCTION_WITHOUT_FALLBACK_ERROR",
  noFallback: "MISSING_FALLBACK_OR_RECEIVE_ERROR",
  invalidArguments: "INVALID_PARAMS_ERROR",
  directLibraryCall: "DIRECT_LIBRARY_CALL_ERROR",
  noCode: "NONCONTRACT_ACCOUNT_CALLED_ERROR",
  shortReturnData: "RETURNDATA_SIZE_ERROR",
  callNotStarted: "CALL_FAILED_ERROR",
  codeTooLarge: "CONTRACT_TOO_LARGE_ERROR",
};

function typeOf(reason) {
  if (reason.kind === "notPayable") {
    return reason.target === "function" ? "FUNCTION_NOT_PAYABLE_ERROR" : "FALLBACK_NOT_PAYABLE_ERROR";
  }
  if (reason.kind === "halt") {
    return reason.cause === "outOfGas" ? "CONTRACT_CALL_RUN_OUT_OF_GAS_ERROR" : "OTHER_EXECUTION_ERROR";
  }
  return TYPES[reason.kind];
}

/** Values as EDR writes those of custom errors. */
function valueText(value, type) {
  const array = /^(.*)\[\d*\]$/.exec(type);
  if (array !== null) return `[${value.map((item) => valueText(item, array[1])).join(", ")}]`;
  if (type === "address") return `"${getAddress(value)}"`;
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item, "")).join(", ")}]`;
  if (value instanceof Uint8Array) return `"0x${Buffer.from(value).toString("hex")}"`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function customErrorText({ error, data }) {
  if (error === undefined) {
    return `reverted with an unrecognized custom error (return data: 0x${Buffer.from(data).toString("hex")})`;
  }
  const values = error.arguments.map(({ parameter, value }) => valueText(value, parameter.type));
  return `reverted with custom error '${error.item.name}(${values.join(", ")})'`;
}

function messageOf(reason) {
  if (reason.kind === "revert") return reason.text;
  return reason.kind === "customError" ? customErrorText(reason) : undefined;
}

const FUNCTIONS = new Map([
  ["fallback", "<fallback>"],
  ["receive", "<receive>"],
]);

function referenceOf({ contract, function: name, range }) {
  if (range === undefined) return undefined;
  const { line } = range.file.positionOf(range.start);
  return { contract, file: range.file.path, function: FUNCTIONS.get(name) ?? name, line };
}

/** The frames of a stack trace, outermost first. */
export function edrFrames({ frames, reason }) {
  return frames.map((frame, index) => {
    const isLast = index === frames.length - 1;
    const sourceReference = referenceOf(frame);
    const { isApproximate } = frame;
    if (sourceReference === undefined) {
      const kind = frame.isCreation ? "CREATE" : "CONTRACT";
      const isTooLarge = isLast && reason.kind === "codeTooLarge";
      const type = isTooLarge ? TYPES.codeTooLarge : `UNRECOGNIZED_${kind}_${isLast ? "ERROR" : "CALLSTACK_ENTRY"}`;
      return { type, message: isLast && reason.kind === "revert" ? reason.text : undefined, isApproximate };
    }
    if (!isLast) return { type: "CALLSTACK_ENTRY", sourceReference, isApproximate };
    return {
      type: typeOf(reason),
      message: messageOf(reason),
      value: reason.kind === "notPayable" || reason.kind === "noReceive" ? reason.value : undefined,
      errorCode: reason.kind === "panic" ? reason.code.toString(16) : undefined,
      sourceReference,
      isApproximate,
    };
  });
}

const UNMAPPED = "UNMAPPED_SOLC_0_6_3_REVERT_ERROR";

/** The first difference between frames and those that a case has, or undefined. */
export function differenceOf(frames, expected, mode) {
  if (mode === "ir") {
    const last = expected.at(-1);
    const isGeneric = last.type === "REVERT_ERROR" || last.type === "OTHER_EXECUTION_ERROR";
    return frameDifference(frames.at(-1), last, { withLine: false, withType: !isGeneric, onlyReference: true });
  }
  if (frames.length !== expected.length) {
    return `${frames.length} frames instead of ${expected.length}: ${frames.map(frameText).join(" > ")}`;
  }
  for (const [index, frame] of expected.entries()) {
    const difference = frameDifference(frames[index], frame, { withLine: mode === "plain", withType: true });
    if (difference !== undefined) return `frame ${index}: ${difference}`;
  }
  return undefined;
}

function frameText({ type, sourceReference: place }) {
  return place === undefined ? type : `${type} ${place.contract}.${place.function} ${place.file}:${place.line}`;
}

function frameDifference(actual, expected, { withLine, withType, onlyReference = false }) {
  const isUnmapped = expected.type === UNMAPPED;
  if (withType && actual.type !== (isUnmapped ? "REVERT_ERROR" : expected.type)) {
    return `${frameText(actual)} instead of ${frameText(expected)}`;
  }
  if (!onlyReference) {
    for (const member of ["message", "value", "errorCode"]) {
      const [left, right] = [actual[member], expected[member]].map((value) => (value == null ? "" : String(value)));
      if (left !== right) return `${member} ${JSON.stringify(left)} instead of ${JSON.stringify(right)}`;
    }
  }
  const { sourceReference: place } = expected;
  if (place === undefined)
    return onlyReference || actual.sourceReference === undefined ? undefined : `a place: ${frameText(actual)}`;
  const other = actual.sourceReference ?? {};
  const isSame =
    (other.contract ?? "") === (place.contract ?? "") && other.file === place.file && isSameFunction(other, place);
  const isLine = !withLine || other.line === place.line || (isUnmapped && actual.isApproximate);
  return isSame && isLine ? undefined : `${frameText(actual)} instead of ${frameText(expected)}`;
}

/** EDR has two names for functions without a name: an empty one above a modifier. */
function isSameFunction({ function: name }, { function: expected }) {
  return name === expected || (expected === "" && [...FUNCTIONS.values()].includes(name));
}

/** The call data and value of a case. */
export function callData(abi, { function: name, params = [], data }) {
  if (data !== undefined) return data;
  if (name === undefined) return "0x";
  const contract = new Interface(abi);
  const inputs = contract.getFunction(name).inputs;
  return contract.encodeFunctionData(
    name,
    params.map((value, index) => argumentOf(value, inputs[index].type)),
  );
}

/** Bytes after the init code. */
export function constructorArguments(abi, params = []) {
  return params.length === 0 ? "" : new Interface(abi).encodeDeploy(params).slice(2);
}

/** Cases write signed numbers as words, and bytes without leading zeros. */
function argumentOf(value, type) {
  if (typeof value !== "string" || !value.startsWith("0x")) return value;
  const [, bytes] = /^bytes(\d+)$/.exec(type) ?? [];
  if (bytes !== undefined) return `0x${value.slice(2).padStart(Number(bytes) * 2, "0")}`;
  return /^int\d*$/.test(type) ? BigInt.asIntN(256, BigInt(value)) : value;
}
