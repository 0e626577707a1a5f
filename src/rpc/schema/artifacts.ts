/** Params that add an ABI, an artifact or a build to a node. */
import { z } from "zod";
import { address } from "./primitives.ts";

/** Read by `explain`, which says what is wrong with it. */
export const artifactValue = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())], {
  error: "expected a JSON ABI, an artifact with abi, or a build with input and output",
});

const MOST_NAME_CHARACTERS = 200;

/** The contract that an ABI belongs to. */
export const artifactOwner = z.strictObject({
  name: z.string().min(1).max(MOST_NAME_CHARACTERS).nullish(),
  address: address.nullish(),
});
