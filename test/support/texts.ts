/** Texts that come in pieces, put together. */
import type { Text } from "../../src/rpc/encode/stream/text.ts";

/** A text that is made without waiting for anything. */
export function textOf(text: Text): string {
  let whole = "";
  for (const piece of text) {
    if (piece instanceof Promise) throw new Error("the text has a pause");
    whole += piece;
  }
  return whole;
}

/** A text that may have pauses. */
export async function awaitedTextOf(text: Text): Promise<string> {
  let whole = "";
  for (const piece of text) {
    if (piece instanceof Promise) await piece;
    else whole += piece;
  }
  return whole;
}
