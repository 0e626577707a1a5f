/** Params that select a part of a long list. */
import { z } from "zod";
import { EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { data, integerOrQuantity, quantity } from "../primitives.ts";

/** Most items of a list in one answer. */
const MOST_ITEMS = 10_000;

const count = integerOrQuantity.refine((value) => value >= 1 && value <= MOST_ITEMS, {
  message: `expected a count from 1 to ${MOST_ITEMS}`,
});

/** The index of the first item, and the most items. */
export const part = z
  .strictObject({ from: integerOrQuantity.nullish(), count: count.nullish() })
  .transform(({ from, count: wanted }) => ({ from: from ?? 0, count: wanted ?? MOST_ITEMS }));

/** Steps in an answer if the request gives no count. */
const USUAL_STEPS = 200;

/** The same for steps, optionally only those of one opcode. */
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

/** Block numbers in an answer: the default, and the most. */
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

/** Slots in an answer: the default, and the most. */
const USUAL_SLOTS = 100;
const MOST_SLOTS = 1_000;

/** Slots of storage, from a hash on. */
export const storagePart = z
  .strictObject({
    start: data.nullish(),
    count: integerOrQuantity
      .refine((value) => value >= 1 && value <= MOST_SLOTS, { message: `expected a count from 1 to ${MOST_SLOTS}` })
      .nullish(),
  })
  .transform(({ start, count: wanted }) => ({ start: start ?? EMPTY_BYTES, count: wanted ?? USUAL_SLOTS }));
