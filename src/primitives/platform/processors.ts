/** The processors that this process may use. */
import { availableParallelism } from "node:os";

/** Number of processors, at least 1. */
export const processorCount = (): number => availableParallelism();
