/** The `id` of a request. The answer repeats it with every digit, because clients find their requests by it. */
import { parseLosslessJson } from "../../primitives/json/lossless-json.ts";

/** An id as JSON-RPC 2.0 allows it; null in answers to requests whose id cannot be read. */
export type RequestId = string | number | ExactInteger | null;

/** An integer that a double cannot hold exactly, as its text. It may be long; it is only written again. */
class ExactInteger {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** False for objects, arrays and booleans, which JSON-RPC 2.0 refuses. */
export function isRequestId(value: unknown): value is RequestId {
  return value === null || typeof value === "string" || typeof value === "number" || value instanceof ExactInteger;
}

/** The id as JSON text. */
export function requestIdText(id: RequestId): string {
  return id instanceof ExactInteger ? id.digits : JSON.stringify(id);
}

/**
 * A parsed request or batch in which ids that are integers are replaced by their exact text.
 *
 * @param request - result of JSON.parse for the text
 */
export function withExactIds(request: unknown, text: string): unknown {
  const entries = Array.isArray(request) ? request : [request];
  if (!entries.some(hasInexactId)) return request;
  const exact = parseLosslessJson(text);
  const exactEntries = Array.isArray(exact) ? exact : [exact];
  const restored = entries.map((entry, index) => {
    if (!hasInexactId(entry)) return entry;
    const { id } = exactEntries[index] as { id: unknown };
    return typeof id === "string" ? { ...entry, id: new ExactInteger(id) } : entry;
  });
  return Array.isArray(request) ? restored : restored[0];
}

function hasInexactId(entry: unknown): entry is { id: number } {
  if (typeof entry !== "object" || entry === null) return false;
  const { id } = entry as { id?: unknown };
  return typeof id === "number" && !Number.isSafeInteger(id);
}
