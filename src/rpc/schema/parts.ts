/** Params that select a part of a long list, or some storage slots. */
import { z } from "zod";
import { EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { data, integerOrQuantity, quantity, storageSlot } from "./primitives.ts";

/** Most items of a list in one answer. */
const MOST_ITEMS = 10_000;

const countUpTo = (most: number) =>
  integerOrQuantity
    .refine((value) => value >= 1 && value <= most, { message: `expected a count from 1 to ${most}` })
    .nullish();

/** The index of the first item, and the most items. */
export const part = z
  .strictObject({ from: integerOrQuantity.nullish(), count: countUpTo(MOST_ITEMS) })
  .transform(({ from, count: wanted }) => ({ from: from ?? 0, count: wanted ?? MOST_ITEMS }));

/** Steps in an answer if the request gives no count. */
const USUAL_STEPS = 200;

/** A part of a list of steps, optionally only of those with one opcode. */
export const stepPart = z
  .strictObject({
    from: integerOrQuantity.nullish(),
    count: countUpTo(MOST_ITEMS),
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
    count: countUpTo(MOST_BLOCKS),
  })
  .transform(({ from, count: wanted }) => ({ from: from ?? undefined, count: wanted ?? USUAL_BLOCKS }));

/** Slots in an answer: the default, and the most. */
const USUAL_SLOTS = 100;
const MOST_SLOTS = 1_000;

/** Slots of storage, from a hash on. */
export const storagePart = z
  .strictObject({
    start: data.nullish(),
    count: countUpTo(MOST_SLOTS),
  })
  .transform(({ start, count: wanted }) => ({ start: start ?? EMPTY_BYTES, count: wanted ?? USUAL_SLOTS }));

/** Most slots of one request, as for eth_getStorageValues. */
export const MAX_RECORDED_SLOTS = 1_024;

/** Numbers of slots; small ones may be QUANTITY. */
export const slots = z
  .array(storageSlot)
  .max(MAX_RECORDED_SLOTS, { error: `expected at most ${MAX_RECORDED_SLOTS} slots` });
