import { type Text, valueText } from "./stream/text.ts";

/** The two shapes of answers: `standard` (execution-apis) and the wider `parity`, which a path in the URL selects. */
export type ResponseShape = "standard" | "parity";

/** Encodes one kind of value as JSON. */
export type Encode<Value, Json> = (value: Value, shape: ResponseShape) => Json;

/** Encodes undefined as null and everything else with the given encoder. */
export function nullable<Value, Json>(encode: Encode<Value, Json>): Encode<Value | undefined, Json | null> {
  return (value, shape) => (value === undefined ? null : encode(value, shape));
}

/** The same for texts. */
export function nullableText<Value>(encode: (value: Value) => Text): (value: Value | undefined) => Text {
  return (value) => (value === undefined ? valueText(null) : encode(value));
}

/** A list of encoded values. */
export function list<Value, Json>(encode: Encode<Value, Json>): Encode<Iterable<Value>, Json[]> {
  return (values, shape) => Array.from(values, (value) => encode(value, shape));
}

/** Forms of answers in which development nodes differ. Types and schemas describe those of the default. */
export interface AnswerForms {
  /** Answer of methods that have done something and have no result. */
  readonly done: null | true;
  /** Answer of methods that set the time. */
  readonly time: "number" | "text";
  /** Answer of `evm_mine`. */
  readonly mined: "0x0" | "0";
  /** Addresses that are keys of `txpool_content` and its like. */
  readonly poolSenders: "checksummed" | "lower case";
}

/** Encodes the answer of a method. */
export type EncodeAnswer<Value, Json> = (value: Value, shape: ResponseShape, forms: AnswerForms) => Json;

/** The answer of a method without a result. */
export function nothing(_value: unknown, _shape: ResponseShape, { done }: AnswerForms): null {
  return done as null;
}

/** The value itself, if it is JSON already. */
export function asIs<Value extends string | number | boolean | null>(value: Value): Value {
  return value;
}
