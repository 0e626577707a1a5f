/** Answers batches of JSON-RPC 2.0. */
import { type HindcastError, InvalidRequestError, LimitError } from "../../errors/hindcast-error.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import type { Answer } from "../../server/handler.ts";
import { type Pace, pacedText, type Text, WHOLE_LENGTH } from "../encode/stream/text.ts";
import { EXAMPLE_REQUEST } from "./envelope.ts";

/**
 * Serves one request of a batch; undefined if it gets no answer.
 *
 * @param letNextBegin - called if it only waits for what others do, such as mining a block
 */
type Serve = (request: unknown, letNextBegin: () => void) => Promise<Text | undefined>;

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
    data: { limit: maxLength, given: batch.length, flag: "--max-batch-length" },
  });
}

/** How a batch is served. */
export interface BatchService {
  readonly serve: Serve;
  /** The response to a request that is not served any more, because those before it are as long as they may be. */
  readonly refuse: (request: unknown, error: HindcastError) => Text | undefined;
  /** Of each response that is written in pieces. */
  readonly pace: Pace;
  /**
   * Number of requests that are served before the answer begins to be written, from the first on: up to the last that may
   * cause notifications on the same connection. Those then precede the answer.
   */
  readonly servedFirst: number;
  /** Default: {@link MAX_BATCH_ANSWER}. */
  readonly mostLength?: number;
}

/**
 * Serves the requests in order, because a batch may send a transaction and then read its effect. Those that wait for a
 * block wait together. From the first long response on, or when the responses together are long, each is made only after
 * the ones before it were written.
 */
export async function answerBatch(batch: readonly unknown[], service: BatchService): Promise<Answer> {
  const { pace, servedFirst } = service;
  const responses: (string | Promise<string | undefined>)[] = [];
  let length = 0;
  const breaks = new Breaks();
  for (const [index, entry] of batch.entries()) {
    // Short answers never wait for the event loop themselves.
    const turn = breaks.check();
    if (turn !== undefined) await turn;
    const { response, isWaiting } = await begin(entry, service);
    if (isWaiting) responses.push(response.then((text) => text && wholeResponse(text, pace)));
    else if (response !== undefined) {
      const isHeld = index < servedFirst && length <= WHOLE_LENGTH.held;
      if (isHeld || (Array.isArray(response) && length <= WHOLE_LENGTH.batch)) {
        const text = await wholeResponse(response, pace);
        length += text.length;
        responses.push(text);
      } else {
        const done = await settledTexts(responses);
        return streamBatch({ done, current: response, rest: batch.slice(index + 1) }, service);
      }
    }
  }
  const texts = await settledTexts(responses);
  return texts.length === 0 ? undefined : `[${texts.join(",")}]`;
}

/** A request of a batch whose response is there, or that only waits for others. */
type Begun =
  | { readonly isWaiting: false; readonly response: Text | undefined }
  | { readonly isWaiting: true; readonly response: Promise<Text | undefined> };

function begin(request: unknown, { serve }: BatchService): Promise<Begun> {
  let goOn = (): void => undefined;
  const waits = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const response = serve(request, () => goOn());
  return Promise.race([
    response.then((settled) => ({ isWaiting: false, response: settled }) as const),
    waits.then(() => ({ isWaiting: true, response }) as const),
  ]);
}

async function settledTexts(responses: readonly (string | Promise<string | undefined>)[]): Promise<string[]> {
  return (await Promise.all(responses)).filter((text) => text !== undefined);
}

async function wholeResponse(response: Text, pace: Pace): Promise<string> {
  if (Array.isArray(response)) return response.join("");
  let text = "";
  for await (const piece of pacedText(response, pace)) text += piece;
  return text;
}

/** A batch with a long response in it. */
interface StreamedBatch {
  /** Responses before the long one. */
  readonly done: readonly string[];
  readonly current: Text;
  /** Requests after the long one. */
  readonly rest: readonly unknown[];
}

/**
 * Longest answer to a batch, in UTF-16 units, beyond the response that exceeds it. No program in JavaScript can
 * read a longer text as a whole.
 */
export const MAX_BATCH_ANSWER = 2 ** 29;

async function* streamBatch(batch: StreamedBatch, service: BatchService): AsyncGenerator<string, void, undefined> {
  const { serve, refuse, pace, mostLength = MAX_BATCH_ANSWER } = service;
  let length = 0;
  const counted = async function* (text: Text): AsyncGenerator<string, void, undefined> {
    for await (const piece of pacedText(text, pace)) {
      length += piece.length;
      yield piece;
    }
  };
  yield "[";
  for (const text of batch.done) yield `${text},`;
  yield* counted(batch.current);
  const breaks = new Breaks();
  for (const entry of batch.rest) {
    const turn = breaks.check();
    if (turn !== undefined) await turn;
    const response = length > mostLength ? refuse(entry, tooLong(mostLength)) : await serve(entry, () => undefined);
    if (response === undefined) continue;
    yield ",";
    yield* counted(response);
  }
  yield "]";
}

/** geth's code and text, with the limit. */
function tooLong(limit: number): HindcastError {
  return new LimitError({
    code: "RESPONSE_TOO_LARGE",
    what: `response too large: the answers of the batch before this one have more than ${limit} characters.`,
    fix: "Send the rest in a batch of its own.",
    data: { limit, flag: null },
  });
}
