/**
 * The paths at which requests are accepted, and their response shapes.
 *
 * `/v4/<network>/non-archival/mainnet`, with any two names, is the form of hosted trace nodes.
 */
import type { RequestContext } from "./handler.ts";

/** The members of answers: those of execution-apis, or with those that hosted trace nodes add. */
export type ResponseShape = RequestContext["responseShape"];

/** An accepted path; `:name` matches one path segment. */
export interface AddressForm {
  readonly pattern: string;
  readonly responseShape: ResponseShape;
}

/** Other paths are pages or not found. */
export const ADDRESS_FORMS: readonly AddressForm[] = [
  { pattern: "/", responseShape: "standard" },
  { pattern: "/v4/:network/non-archival/:chain", responseShape: "parity" },
];

/** The response shape at a request target such as `/v4/a/non-archival/b?key=1`; undefined for unknown paths. */
export function responseShapeAt(target: string): ResponseShape | undefined {
  const path = target.split("?", 1)[0] ?? "";
  return ADDRESS_FORMS.find((form) => matches(form.pattern, path))?.responseShape;
}

function matches(pattern: string, path: string): boolean {
  if (pattern === path) return true;
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return false;
  return wanted.every((segment, index) => {
    const actual = given[index] ?? "";
    return segment.startsWith(":") ? actual !== "" : segment === actual;
  });
}
