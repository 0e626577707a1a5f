/** The processors that this process may use. */
import { availableParallelism } from "node:os";

/** How many there are, at least 1. */
export const processorCount = (): number => availableParallelism();
