/** A param that lists storage slots. */
import { z } from "zod";
import { storageSlot } from "../primitives.ts";

/** As many as eth_getStorageValues takes. */
export const MAX_RECORDED_SLOTS = 1_024;

/** Numbers of slots; small ones may be QUANTITY. */
export const slots = z
  .array(storageSlot)
  .max(MAX_RECORDED_SLOTS, { error: `expected at most ${MAX_RECORDED_SLOTS} slots` });
