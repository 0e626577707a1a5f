/** Which of the two answer shapes an encoder produces: execution-apis' own, or the wider one of the path form. */
export type ResponseShape = "standard" | "parity";

/** An encoder of one kind of value. */
export type Encode<Value, Json> = (value: Value, shape: ResponseShape) => Json;

/** Null for undefined, else the encoder's answer. */
export function nullable<Value, Json>(encode: Encode<Value, Json>): Encode<Value | undefined, Json | null> {
  return (value, shape) => (value === undefined ? null : encode(value, shape));
}

/** A list of encoded values. */
export function list<Value, Json>(encode: Encode<Value, Json>): Encode<Iterable<Value>, Json[]> {
  return (values, shape) => Array.from(values, (value) => encode(value, shape));
}

/** Null for a method that only does something. */
export function nothing(): null {
  return null;
}

/** The value as it is, where it is JSON already. */
export function asIs<Value extends string | number | boolean | null>(value: Value): Value {
  return value;
}
