/** Params of the methods by which nodes follow another one. */
import { z } from "zod";
import type { StreamPosition } from "../../sharing/stream-position.ts";
import { data, hash, quantity } from "../schema/primitives.ts";

const token = z.string({ error: "expected the token of the shared chain" });

const position = z
  .strictObject({ incarnation: data, sequence: quantity, hash }, { error: "expected a position of the stream" })
  .transform((value): StreamPosition => value);

/** Longest time in milliseconds that a request may wait for a change. */
const LONGEST_WAIT_MS = 60_000;
const WAIT_SHAPE = `expected milliseconds from 0 to ${LONGEST_WAIT_MS}`;

/** The request of `hindcast_stream`. */
export const streamParam = z.strictObject(
  {
    token,
    position: position.nullish(),
    waitMs: z
      .int({ error: WAIT_SHAPE })
      .min(0, { error: WAIT_SHAPE })
      .max(LONGEST_WAIT_MS, { error: WAIT_SHAPE })
      .optional()
      .transform((value) => value ?? 0),
  },
  { error: "expected an object with token, position and waitMs" },
);

/** The request of `hindcast_streamBase`. */
export const streamBaseParam = z.strictObject(
  {
    token,
    base: quantity.nullish(),
    chunk: z.int({ error: "expected the number of a chunk" }).min(0, { error: "expected the number of a chunk" }),
  },
  { error: "expected an object with token, base and chunk" },
);

/** The request of `hindcast_forward`. */
export const forwardParam = z.strictObject(
  {
    token,
    position,
    method: z.string({ error: "expected the name of a method" }),
    params: z.unknown(),
    shape: z
      .enum(["standard", "parity"])
      .optional()
      .transform((value) => value ?? "standard"),
  },
  { error: "expected an object with token, position, method, params and shape" },
);
