/** Checks the params of requests, in turns when they have many values. */
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import type { Method } from "../method.ts";
import { checkParams, checkParamsInTurns, type ParamForms } from "../schema/check-params.ts";
import { checkValueCount, countValues } from "./value-bound.ts";

/** Values of params that are checked without yielding. */
const VALUES_AT_ONCE = 1_000;

/** How params are checked. */
export interface ParamsCheckerOptions {
  /** Most values in the params of a request. */
  readonly maxRequestValues: number;
  /** Default: those of QUANTITY and DATA. */
  readonly paramForms?: ParamForms | undefined;
}

/** One for each node. */
export class ParamsChecker {
  readonly #options: ParamsCheckerOptions;
  /** By params as received: gives what was made of them when their request was read, or throws. */
  readonly #checked = new WeakMap<object, () => unknown[]>();

  constructor(options: ParamsCheckerOptions) {
    this.#options = options;
  }

  /** Checks params of many values before their request begins, yielding to the event loop. {@link check} throws any error. */
  checkAhead({ params: known }: Method, received: unknown): MaybePromise<void> {
    if (!Array.isArray(received)) return;
    const { maxRequestValues, paramForms } = this.#options;
    const count = countValues(received);
    if (count <= VALUES_AT_ONCE || count > maxRequestValues) return;
    const keep = (values: () => unknown[]): void => void this.#checked.set(received, values);
    return checkParamsInTurns(known, received, paramForms).then(
      (values) => keep(() => values),
      (error: unknown) =>
        keep(() => {
          throw error;
        }),
    );
  }

  /**
   * The parsed values, in order.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS`
   * @throws {LimitError} `JSON_TOO_MANY_VALUES`
   */
  check({ name, params: known }: Method, received: readonly unknown[]): unknown[] {
    const { maxRequestValues, paramForms } = this.#options;
    const checked = this.#checked.get(received);
    this.#checked.delete(received);
    if (checked !== undefined) return checked();
    checkValueCount(name, received, maxRequestValues);
    return checkParams(known, received, paramForms);
  }
}
