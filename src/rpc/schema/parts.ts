/** Params that name a part of a long list. */
import { z } from "zod";
import { integerOrQuantity, quantity } from "./primitives.ts";

/** Items of a list in one answer, at most. */
const MOST_ITEMS = 10_000;

const count = integerOrQuantity.refine((value) => value >= 1 && value <= MOST_ITEMS, {
  message: `expected a count from 1 to ${MOST_ITEMS}`,
});

/** Where a part begins, and how many items it has at most. */
export const part = z
  .strictObject({ from: integerOrQuantity.nullish(), count: count.nullish() })
  .transform(({ from, count: wanted }) => ({ from: from ?? 0, count: wanted ?? MOST_ITEMS }));

/** Items in a list of steps where no count is given. */
const USUAL_STEPS = 200;

/** The same for steps, which may be those of one opcode alone. */
export const stepPart = z
  .strictObject({
    from: integerOrQuantity.nullish(),
    count: count.nullish(),
    opcode: integerOrQuantity.refine((value) => value <= 255, { message: "expected an opcode up to 255" }).nullish(),
  })
  .transform(({ from, count: wanted, opcode }) => ({
    from: from ?? 0,
    count: wanted ?? USUAL_STEPS,
    opcode: opcode ?? undefined,
  }));

/** Blocks in a list where no count is given, and at most. */
const USUAL_BLOCKS = 25;
const MOST_BLOCKS = 200;

/** Blocks from a number downwards. */
export const blockPart = z
  .strictObject({
    from: quantity.nullish(),
    count: integerOrQuantity
      .refine((value) => value >= 1 && value <= MOST_BLOCKS, { message: `expected a count from 1 to ${MOST_BLOCKS}` })
      .nullish(),
  })
  .transform(({ from, count: wanted }) => ({ from: from ?? undefined, count: wanted ?? USUAL_BLOCKS }));
