/** Answers of development methods whose form depends on the node that is followed. */
import type { AnswerForms, ResponseShape } from "./shape.ts";

/** Null, or whether something was undone. */
export function undone(was: boolean, _shape: ResponseShape, { done }: AnswerForms): null {
  return (done === null ? null : was) as null;
}

/** Seconds as a JSON number, or as decimal text. */
export function secondsAdded(seconds: bigint, _shape: ResponseShape, { time }: AnswerForms): number {
  return time === "text" ? (String(seconds) as unknown as number) : Number(seconds);
}

/** Nothing, or the timestamp as decimal text. */
export function timestampSet(timestamp: bigint, _shape: ResponseShape, { time, done }: AnswerForms): null {
  return (time === "text" ? String(timestamp) : done) as null;
}

/** Zero, as QUANTITY or as decimal text. */
export function mined(_value: unknown, _shape: ResponseShape, forms: AnswerForms): "0x0" {
  return forms.mined as "0x0";
}
