/** A running request, as its handler sees it. */
import type { AbortState } from "../primitives/abort-state.ts";
import type { ResponseShape } from "./address-forms.ts";
import type { RequestContext } from "./handler.ts";

/**
 * A request that can be aborted. An AbortSignal is made only for a listener, because it is costly and most requests
 * need none.
 */
export class Work implements RequestContext, AbortState {
  readonly responseShape: ResponseShape;
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  constructor(responseShape: ResponseShape) {
    this.responseShape = responseShape;
  }

  get signal(): AbortState {
    return this;
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  addEventListener(...listener: Parameters<AbortState["addEventListener"]>): void {
    this.#listened().addEventListener(...listener);
  }

  removeEventListener(...listener: Parameters<AbortState["removeEventListener"]>): void {
    this.#controller?.signal.removeEventListener(...listener);
  }

  #listened(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }
}
