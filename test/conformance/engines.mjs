// The engines that suites can be run on.

/** As `src/evm/engine.ts` names them; a test holds the two lists together. */
export const ENGINE_NAMES = ["wasm", "ethereumjs"];

/** Default engine of a node. */
export const DEFAULT_ENGINE = "wasm";
