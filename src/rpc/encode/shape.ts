/** The two shapes of answers: `standard` (execution-apis) and the wider `parity`, which a path in the URL selects. */
export type ResponseShape = "standard" | "parity";

/** Encodes one kind of value as JSON. */
export type Encode<Value, Json> = (value: Value, shape: ResponseShape) => Json;

/** Records how an encoder is composed of another, so that the OpenRPC document can derive its schema. */
export interface Composition {
  readonly kind: "nullable" | "list";
  readonly of: unknown;
}

/** Encodes undefined as null and everything else with the given encoder. */
export function nullable<Value, Json>(encode: Encode<Value, Json>): Encode<Value | undefined, Json | null> {
  const composed: Encode<Value | undefined, Json | null> = (value, shape) =>
    value === undefined ? null : encode(value, shape);
  return Object.assign(composed, { composition: { kind: "nullable", of: encode } satisfies Composition });
}

/** A list of encoded values. */
export function list<Value, Json>(encode: Encode<Value, Json>): Encode<Iterable<Value>, Json[]> {
  const composed: Encode<Iterable<Value>, Json[]> = (values, shape) =>
    Array.from(values, (value) => encode(value, shape));
  return Object.assign(composed, { composition: { kind: "list", of: encode } satisfies Composition });
}

/** The composition of an encoder; undefined if it is not composed of another. */
export function compositionOf(encode: unknown): Composition | undefined {
  return (encode as { readonly composition?: Composition }).composition;
}

/** Null, for a method without a result. */
export function nothing(): null {
  return null;
}

/** The value itself, if it is JSON already. */
export function asIs<Value extends string | number | boolean | null>(value: Value): Value {
  return value;
}
