/** A param that lists storage slots. */
import { z } from "zod";
import { storageSlot } from "../primitives.ts";

/** As many as eth_getStorageValues takes. */
const MOST_SLOTS = 1_024;

export const slots = z.array(storageSlot).max(MOST_SLOTS, { error: `expected at most ${MOST_SLOTS} slots` });
