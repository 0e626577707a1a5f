/**
 * The seed of the slow tests: printed, so that a failure can be repeated with `HINDCAST_SEED=… npm run test:slow`.
 *
 * Loaded before every slow test file; fast-check takes it by itself, other randomness asks {@link testSeed}.
 */
import fc from "fast-check";

/** 32 bits; from HINDCAST_SEED, or else new with every run. */
export const testSeed: number = Number(process.env.HINDCAST_SEED ?? Date.now() % 2 ** 31) | 0;

console.log(`seed ${testSeed} (repeat with HINDCAST_SEED=${testSeed})`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed });
