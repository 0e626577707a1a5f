/** Plans the blocks of eth_simulateV1: fills in numbers and times, and fills gaps with empty blocks. */

import type { Header } from "../../../chainspec/header/header.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import { InvalidParamsError, LimitError } from "../../../errors/hindcast-error.ts";
import { checkTime, requireSeconds } from "../../../miner/clock.ts";
import type { AccountOverride } from "../../../state/working/overrides.ts";
import type { BlockOverrides } from "../call/block-overrides.ts";

/** A block as the caller asks for it. */
export interface RequestedBlock {
  readonly overrides?: BlockOverrides | undefined;
  readonly accounts?: readonly AccountOverride[] | undefined;
  readonly calls: readonly CallRequest[];
}

/** A block that will be run. */
export interface PlannedBlock {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  readonly overrides: BlockOverrides;
  readonly accounts: readonly AccountOverride[];
  readonly calls: readonly CallRequest[];
}

/** Most blocks in one simulation, including those that fill gaps (suggestion of execution-apis). */
export const MAX_SIMULATED_BLOCKS = 256;
/** Default seconds from one block to the next. */
const BLOCK_TIME = 12n;

/**
 * Plans the blocks on top of `base`.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` without blocks and for times that no block can have, `SIMULATED_BLOCK_ORDER`, `SIMULATED_TIME_ORDER`
 * @throws {LimitError} `SIMULATION_TOO_LARGE` for more than 256 blocks
 */
export function planBlocks(base: Header, requested: readonly RequestedBlock[]): PlannedBlock[] {
  if (requested.length === 0)
    throw new InvalidParamsError({
      code: "INVALID_PARAMS",
      what: "empty input",
      fix: "Give blockStateCalls at least one block, such as {}.",
    });
  if (requested.length > MAX_SIMULATED_BLOCKS) throw tooManyBlocks();
  const planned: PlannedBlock[] = [];
  let previous: Pick<PlannedBlock, "number" | "timestamp"> = base;
  const add = (block: PlannedBlock): void => {
    planned.push(block);
    previous = block;
  };
  for (const { overrides = {}, accounts = [], calls } of requested) {
    const number = overrides.number ?? previous.number + 1n;
    if (number <= previous.number) throw outOfOrder("SIMULATED_BLOCK_ORDER", "numbers", number, previous.number);
    if (number - base.number > BigInt(MAX_SIMULATED_BLOCKS)) throw tooManyBlocks();
    while (previous.number + 1n < number) add(emptyBlockAfter(previous));
    const timestamp = overrides.timestamp ?? previous.timestamp + BLOCK_TIME;
    requireSeconds(overrides.timestamp ?? 0n, base.timestamp);
    if (timestamp <= previous.timestamp) {
      throw outOfOrder("SIMULATED_TIME_ORDER", "timestamps", timestamp, previous.timestamp);
    }
    checkTime(timestamp);
    add({ number, timestamp, overrides, accounts, calls });
  }
  return planned;
}

function emptyBlockAfter({ number, timestamp }: Pick<PlannedBlock, "number" | "timestamp">): PlannedBlock {
  return { number: number + 1n, timestamp: timestamp + BLOCK_TIME, overrides: {}, accounts: [], calls: [] };
}

function outOfOrder(
  code: "SIMULATED_BLOCK_ORDER" | "SIMULATED_TIME_ORDER",
  what: string,
  value: bigint,
  previous: bigint,
): InvalidParamsError {
  return new InvalidParamsError({ code, what: `block ${what} must be in order: ${value} <= ${previous}` });
}

/** Without data, as in the answers that execution-apis records. */
function tooManyBlocks(): LimitError {
  return new LimitError({ code: "SIMULATION_TOO_LARGE", what: "too many blocks" });
}
