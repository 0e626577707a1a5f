/** One request under way, as its handler sees it. */
import type { ResponseShape } from "./address-forms.ts";
import type { RequestContext } from "./handler.ts";

/**
 * A request that can be aborted. Its signal is made for whoever asks for it: most requests are answered before anybody
 * could give up, and a signal costs as much as everything else here (5 µs).
 */
export class Work implements RequestContext {
  readonly responseShape: ResponseShape;
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  constructor(responseShape: ResponseShape) {
    this.responseShape = responseShape;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#reason !== undefined;
  }

  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }
}
