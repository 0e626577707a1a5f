/** Params that add an ABI, an artifact or a build to a node. */
import { z } from "zod";
import { address, data } from "./primitives.ts";

/** Read by `explain`, which says what is wrong with it. */
export const artifactValue = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown()), data], {
  error: "expected a JSON ABI, an artifact with abi, a build with input and output, or one of their texts as DATA",
});

const MOST_NAME_CHARACTERS = 200;

/** The contract that an ABI belongs to. */
export const artifactOwner = z.strictObject({
  name: z.string().min(1).max(MOST_NAME_CHARACTERS).nullish(),
  address: address.nullish(),
});
