/** Names what the node has no ABI for by the common standards: functions, events and errors of calls. */
import { decodeCall, decodeError, decodeEvent, textOfDecoded } from "../abi/lookup.ts";
import type { Call } from "../rpc/types.ts";

/** The call with the names that are missing in it, as far as they are known. */
export function withStandards(call: Call): Call {
  return { ...call, ...functionIn(call), ...failureIn(call), logs: call.logs.map(withEvent) };
}

/** True for a call with something that the node has no ABI for. */
export function isUnnamed(call: Call): boolean {
  const hasText = call.logs.every(({ text }) => text !== null);
  return !hasText || hasUnknownFunction(call) || call.failure?.startsWith(UNKNOWN_ERROR) === true;
}

const UNKNOWN_ERROR = "custom error ";
const SELECTOR_DIGITS = 10;

/** The node gives the selector, or nothing, where it knows no function. */
function hasUnknownFunction({ function: known, kind, input, isPrecompile, printed }: Call): boolean {
  if (isPrecompile || printed !== null || kind.startsWith("create") || input.length < SELECTOR_DIGITS) return false;
  return known === null || known === input.slice(0, SELECTOR_DIGITS);
}

/** A log with its text. */
export function withEvent<Log extends Pick<Call["logs"][number], "topics" | "data" | "text">>(log: Log): Log {
  if (log.text !== null) return log;
  const decoded = decodeEvent(undefined, log.topics, log.data);
  return decoded === undefined ? log : { ...log, text: textOfDecoded(decoded) };
}

function functionIn(call: Call): Partial<Call> {
  if (!hasUnknownFunction(call)) return {};
  const decoded = decodeCall(undefined, call.input);
  if (decoded === undefined) return {};
  const { name, values } = decoded;
  if (values === undefined) return { function: name };
  return { function: name, arguments: textOfDecoded({ name, values }).slice(name.length) };
}

function failureIn({ failure, output }: Call): Partial<Call> {
  if (failure?.startsWith(UNKNOWN_ERROR) !== true) return {};
  const decoded = decodeError([], output);
  return decoded === undefined ? {} : { failure: textOfDecoded(decoded) };
}
