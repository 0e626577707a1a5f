/** A running request, as its handler sees it. */
import { type AbortState, AbortSwitch } from "../primitives/abort-state.ts";
import type { ResponseShape } from "./address-forms.ts";
import type { RequestContext } from "./handler.ts";

/** A request that can be aborted. */
export class Work extends AbortSwitch implements RequestContext {
  readonly responseShape: ResponseShape;

  constructor(responseShape: ResponseShape) {
    super();
    this.responseShape = responseShape;
  }

  get signal(): AbortState {
    return this;
  }
}
