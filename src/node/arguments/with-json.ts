/** JSON of values that refer to themselves: a range in a source has its file, and the file its functions. */

/** Gives a value the JSON that `JSON.stringify` writes for it, in a member that no loop over its members sees. */
export function withJson<Value extends object>(value: Value, toJson: () => unknown): Value {
  return Object.defineProperty(value, "toJSON", { value: toJson, enumerable: false, configurable: true });
}
