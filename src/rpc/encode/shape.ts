/** Which of the two answer shapes an encoder produces: execution-apis' own, or the wider one of the path form. */
export type ResponseShape = "standard" | "parity";

/** An encoder of one kind of value. */
export type Encode<Value, Json> = (value: Value, shape: ResponseShape) => Json;

/** How an encoder is made of another, for documents that say what it gives. */
export interface Composition {
  readonly kind: "nullable" | "list";
  readonly of: unknown;
}

/** Null for undefined, else the encoder's answer. */
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

/** What an encoder is made of, if it is made of another. */
export function compositionOf(encode: unknown): Composition | undefined {
  return (encode as { readonly composition?: Composition }).composition;
}

/** Null for a method that only does something. */
export function nothing(): null {
  return null;
}

/** The value as it is, where it is JSON already. */
export function asIs<Value extends string | number | boolean | null>(value: Value): Value {
  return value;
}
