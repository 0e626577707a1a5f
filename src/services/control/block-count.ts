/** How many blocks one request may make: they are written together, so that all of them are held until the last is made. */
import { LimitError } from "../../errors/hindcast-error.ts";
import { requireValues } from "./check-values.ts";

/**
 * @throws {InvalidParamsError} `INVALID_PARAMS` for what is no count
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
