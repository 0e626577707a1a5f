/** Reads JSON texts from outside within limits, yielding to the event loop. */

import type { Bytes } from "../bytes/bytes.ts";
import { Breaks } from "../platform/turns.ts";
import { JsonReader, type JsonReaderOptions } from "./json-reader.ts";

/** Characters that are scanned without yielding. */
const PART_LENGTH = 64 * 1024;

/**
 * The value of a text.
 *
 * @throws {SyntaxError} if it is not JSON
 * @throws {LimitError} `JSON_TOO_DEEP`, `JSON_TOO_MANY_VALUES`, `JSON_VALUE_TOO_LONG`
 */
export async function readJsonText(text: string, options: JsonReaderOptions): Promise<unknown> {
  const reader = new JsonReader({ ...options, text });
  const breaks = new Breaks();
  for (let start = 0; start < text.length; start += PART_LENGTH) {
    reader.push(text.slice(start, start + PART_LENGTH));
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
  const value = reader.end();
  // The last part may have ended a value of megabytes; the reader of the value takes as long again.
  const turn = breaks.check();
  if (turn !== undefined) await turn;
  return value;
}

/** As {@link readJsonText}, for UTF-8 in chunks, none of which is held. */
export async function readJsonBytes(chunks: AsyncIterable<Bytes>, options: JsonReaderOptions): Promise<unknown> {
  const reader = new JsonReader(options);
  const breaks = new Breaks();
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += PART_LENGTH) {
      reader.push(decoder.decode(chunk.subarray(start, start + PART_LENGTH), { stream: true }));
      const turn = breaks.check();
      if (turn !== undefined) await turn;
    }
  }
  reader.push(decoder.decode());
  return reader.end();
}
