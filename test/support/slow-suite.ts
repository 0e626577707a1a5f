/**
 * Marks tests that only `npm run test:slow` runs, in files named `*.test.ts`, whose other tests only `npm test` runs. Files
 * that both run (`*.sweep.test.ts`, `*.property.test.ts`) mark them by `it.runIf(isSlow)`.
 */
import { it } from "vitest";
import { isSlow } from "./seed.ts";

/** `it` for a test that takes long for what it adds to those beside it. vitest.config.ts finds its files by this name. */
export const slowIt: typeof it.only = isSlow ? it.only : it.skip;
