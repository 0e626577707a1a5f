/**
 * Limits the blocks that one request may make. They are written in one batch, so all of them are in memory until the
 * last is made.
 */
import { LimitError } from "../../errors/hindcast-error.ts";
import { requireValues } from "./check-values.ts";

/**
 * @throws {InvalidParamsError} `INVALID_PARAMS` if the value is not a count
 * @throws {LimitError} `TOO_MANY_BLOCKS`
 */
export function requireBlockCount(count: number, limit: number): void {
  requireValues({ blocks: count });
  if (count <= limit) return;
  throw new LimitError({
    code: "TOO_MANY_BLOCKS",
    what: `Cannot make ${count} blocks at once, at most ${limit}.`,
    fix: "Ask several times for fewer, or raise limits.minedBlocks.",
  });
}
