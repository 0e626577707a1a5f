/** Requests that a server receives at a time, and over HTTP those that it serves, and a limit for their bytes together. */
import { heldMemory } from "../../primitives/platform/held-memory.ts";

/** Bodies up to this length do not count, so that ordinary requests are served however many large ones there are. */
const SMALL_BYTES = 64 * 1024;

/** One body. */
export interface ReceivedBody {
  /** @param length - bytes received so far */
  note(length: number): void;
  /** The body is whole: its request will be served, and it counts until {@link ReceivedBody.end}. */
  complete(): void;
  /** The request was answered or refused, or its sender is gone. */
  end(): void;
}

interface Counted {
  readonly refuse: () => void;
  bytes: number;
}

/** Of one server. */
export class ReceivedBodies {
  readonly mostBytes: number;
  readonly #incomplete = new Set<Counted>();
  #bytes = 0;

  /** @param mostBytes - of all bodies together */
  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** @param refuse - called if there is too much together: the body has the most bytes of all that are not yet whole */
  begin(refuse: () => void): ReceivedBody {
    const body: Counted = { refuse, bytes: 0 };
    this.#incomplete.add(body);
    return {
      note: (length) => {
        if (length <= SMALL_BYTES) return;
        this.#count(body, length);
        this.#refuseLongest();
      },
      complete: () => void this.#incomplete.delete(body),
      end: () => this.#end(body),
    };
  }

  #count(body: Counted, bytes: number): void {
    const added = bytes - body.bytes;
    this.#bytes += added;
    heldMemory().add(added);
    body.bytes = bytes;
  }

  #end(body: Counted): void {
    this.#incomplete.delete(body);
    this.#count(body, 0);
  }

  #refuseLongest(): void {
    while (this.#bytes > this.mostBytes) {
      let longest: Counted | undefined;
      for (const body of this.#incomplete) if (body.bytes > (longest?.bytes ?? 0)) longest = body;
      if (longest === undefined) return;
      this.#end(longest);
      longest.refuse();
    }
  }
}
