// The engines that suites can be run on.

/** As `src/evm/engine.ts` names them; a test holds the two lists together. */
export const ENGINE_NAMES = ["wasm", "ethereumjs"];

/** What a node runs on unless it is told otherwise. */
export const DEFAULT_ENGINE = "wasm";
