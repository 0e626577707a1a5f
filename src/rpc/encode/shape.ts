/** The two shapes of answers: `standard` (execution-apis) and the wider `parity`, which a path in the URL selects. */
export type ResponseShape = "standard" | "parity";

/** Encodes one kind of value as JSON. */
export type Encode<Value, Json> = (value: Value, shape: ResponseShape) => Json;

/** Encodes undefined as null and everything else with the given encoder. */
export function nullable<Value, Json>(encode: Encode<Value, Json>): Encode<Value | undefined, Json | null> {
  return (value, shape) => (value === undefined ? null : encode(value, shape));
}

/** A list of encoded values. */
export function list<Value, Json>(encode: Encode<Value, Json>): Encode<Iterable<Value>, Json[]> {
  return (values, shape) => Array.from(values, (value) => encode(value, shape));
}

/** Null, for a method without a result. */
export function nothing(): null {
  return null;
}

/** The value itself, if it is JSON already. */
export function asIs<Value extends string | number | boolean | null>(value: Value): Value {
  return value;
}
