/** The error for an unknown method: names the nearest known one. */
import { MethodNotFoundError } from "../../errors/hindcast-error.ts";
import { nearestName } from "../../primitives/validation/nearest-name.ts";
import { insteadOfMethod } from "./absent-methods.ts";

/** Longer method names are not typing errors: they are neither compared with known names nor shown in full. */
const MAX_METHOD_NAME_LENGTH = 100;

/**
 * The error for a name that no method has.
 *
 * @param known - all methods
 */
export function methodNotFound(name: string, known: readonly { readonly name: string }[]): MethodNotFoundError {
  const isLong = name.length > MAX_METHOD_NAME_LENGTH;
  const shown = isLong ? `${name.slice(0, MAX_METHOD_NAME_LENGTH)}...` : name;
  const names = known.map((method) => method.name);
  const nearest = isLong ? undefined : nearestName(name, names);
  const namespaces = [...new Set(names.map((method) => method.split(/[._]/)[0]))].sort();
  const guess =
    nearest === undefined
      ? `rpc.discover lists all methods; their names begin with ${namespaces.join(", ")}.`
      : `Did you mean ${nearest}?`;
  return new MethodNotFoundError({
    code: "METHOD_NOT_FOUND",
    what: `the method ${shown} does not exist/is not available`,
    fix: (isLong ? undefined : insteadOfMethod(name)) ?? guess,
  });
}
