/** A writer's own stream, which its readers get over WebSocket. */
import { UnsupportedError } from "../errors/hindcast-error.ts";
import { type Bytes, concatList } from "../primitives/bytes/bytes.ts";
import type { BaseChunks, ChangeSource, ForwardTarget, SourceAnswer } from "./change-log.ts";
import { decodeOperations } from "./entry-codec.ts";
import type { StreamPosition } from "./stream-position.ts";
import { untilReached } from "./until-reached.ts";
import { type BaseJson, decodePositionJson, positionParam, type StreamJson } from "./wire.ts";
import { type WriterAddress, WriterClient, WriterRefusal } from "./writer-client.ts";

/** One for each reader. */
export class WriterSource implements ChangeSource {
  readonly #client: WriterClient;
  readonly label: string;
  readonly writer: ForwardTarget;
  /** The writer of a stream over WebSocket stays the same. */
  readonly epoch = undefined;
  readonly isWriterAlive = true;

  constructor(address: WriterAddress) {
    const client = new WriterClient(address);
    this.#client = client;
    this.label = client.label;
    this.writer = client.requests;
  }

  async describe(signal: AbortSignal): Promise<{ readonly description: string; readonly head: StreamPosition }> {
    const { result } = await this.#asked("hindcast_stream", {}, signal);
    const { head, description } = result as StreamJson;
    return { description: description ?? "{}", head: decodePositionJson(head) };
  }

  async after(from: StreamPosition, waitMs: number, signal: AbortSignal): Promise<SourceAnswer> {
    const asked = { position: positionParam(from), waitMs };
    const { result, binary: payloads } = await this.#asked("hindcast_stream", asked, signal);
    const { position, head } = result as StreamJson;
    const part = position === null ? undefined : { position: decodePositionJson(position), payloads };
    return { part, head: decodePositionJson(head) };
  }

  async *base(signal: AbortSignal): BaseChunks {
    let base: string | null = null;
    for (let chunk = 0; ; chunk++) {
      const params = { base, chunk };
      // The last chunk can be asked for again, over another connection.
      const { result, binary } = await untilReached(() => this.#asked("hindcast_streamBase", params, signal), signal);
      const answer = result as BaseJson;
      const payload = concatList(binary);
      base = answer.base;
      const operations = decodeOperations(payload);
      if (operations.length === 0) return decodePositionJson(answer.position);
      yield operations;
    }
  }

  async #asked(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ readonly result: unknown; readonly binary: readonly Bytes[] }> {
    try {
      return await this.#client.stream.askForBytes(method, params, signal);
    } catch (error) {
      throw error instanceof WriterRefusal ? refused(error, this.label) : error;
    }
  }

  /** The writer answers as soon as there is an entry. */
  wake(): void {}

  close(): Promise<void> {
    return this.#client.close();
  }
}

function refused(cause: WriterRefusal, label: string): UnsupportedError {
  return new UnsupportedError({
    code: "FOLLOWING_REFUSED",
    what: `The node at ${label} cannot be followed: ${cause.message}`,
    fix: "Start it with --share and a token, and this one with the same token.",
    cause,
  });
}
