/** Anvil's traces as `fixtures/traces/` keeps them: by hardfork, an answer to each of the questions in their order. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

export const TRACED_HARDFORKS = ["shanghai", "cancun", "prague"] as const;
export type TracedHardfork = (typeof TRACED_HARDFORKS)[number];

const fileOf = (hardfork: TracedHardfork): URL =>
  new URL(`../../fixtures/traces/anvil-${hardfork}.json.br`, import.meta.url);

/** Reads the answers of one hardfork. */
export function readAnswers(hardfork: TracedHardfork): readonly unknown[] {
  return JSON.parse(brotliDecompressSync(readFileSync(fileOf(hardfork))).toString()) as unknown[];
}

/** True if the answers of one hardfork are recorded. */
export function hasAnswers(hardfork: TracedHardfork): boolean {
  return existsSync(fileOf(hardfork));
}

/** Records the answers of one hardfork. */
export function writeAnswers(hardfork: TracedHardfork, answers: readonly unknown[]): void {
  writeFileSync(fileOf(hardfork), brotliCompressSync(JSON.stringify(answers)));
}
