/** Answers batches of JSON-RPC 2.0. */
import { type HindcastError, InvalidRequestError, LimitError } from "../../errors/hindcast-error.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import type { Answer } from "../../server/handler.ts";
import { type Piece, pacedText, pieceText, type Text, WHOLE_LENGTH } from "../encode/stream/text.ts";
import { EXAMPLE_REQUEST } from "./envelope.ts";

/** Serves one request of a batch; undefined if it gets no answer. */
type Serve = (request: unknown) => Promise<Text | undefined>;

/** The error of a batch that is not served at all. */
export function batchProblem(batch: readonly unknown[], maxLength: number): HindcastError | undefined {
  if (batch.length === 0) {
    const fix = `Put requests into it, such as [${EXAMPLE_REQUEST}].`;
    return new InvalidRequestError({ code: "INVALID_REQUEST", what: "The batch is empty.", fix });
  }
  if (batch.length <= maxLength) return undefined;
  return new LimitError({
    code: "BATCH_TOO_LONG",
    what: `The batch has ${batch.length} requests, at most ${maxLength} are allowed.`,
    fix: "Split it, or raise the limit with --max-batch-length.",
  });
}

/**
 * Serves the requests in order, because a batch may send a transaction and then read its effect. From the first long
 * response on, or when the responses together are long, each is made only after the ones before it were written.
 */
export async function answerBatch(batch: readonly unknown[], serve: Serve, signal: AbortState): Promise<Answer> {
  const responses: string[] = [];
  let length = 0;
  for (const [index, entry] of batch.entries()) {
    const response = await serve(entry);
    if (response === undefined) continue;
    if (Array.isArray(response) && length <= WHOLE_LENGTH.batch) {
      const text = response.map(pieceText).join("");
      length += text.length;
      responses.push(text);
    } else return streamBatch({ done: responses, current: response, rest: batch.slice(index + 1) }, serve, signal);
  }
  return responses.length === 0 ? undefined : `[${responses.join(",")}]`;
}

/** A batch with a long response in it. */
interface StreamedBatch {
  /** Responses before the long one. */
  readonly done: readonly string[];
  readonly current: Text;
  /** Requests after the long one. */
  readonly rest: readonly unknown[];
}

async function* streamBatch(
  batch: StreamedBatch,
  serve: Serve,
  signal: AbortState,
): AsyncGenerator<Piece, void, undefined> {
  yield `[${batch.done.map((text) => `${text},`).join("")}`;
  yield* pacedText(batch.current, signal);
  for (const entry of batch.rest) {
    const response = await serve(entry);
    if (response === undefined) continue;
    yield ",";
    yield* pacedText(response, signal);
  }
  yield "]";
}
