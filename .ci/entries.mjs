/** Entries of the package, and their sources: dist/bundle/NAME.js and dist/types/NAME.d.ts are made of src/SOURCE.ts. */
export const ENTRIES = {
  index: "index",
  config: "cli/options/config",
  fuzz: "testing/fuzz/fuzz",
  hardhat: "testing/hardhat",
  mocha: "testing/mocha",
  "node-test": "testing/node-test",
  vitest: "testing/vitest",
};

/** Entries for browsers: dist/web/NAME.js, and dist/types/NAME.d.ts. The program of a worker has nothing to import. */
export const BROWSER_ENTRIES = {
  browser: "browser/index",
  worker: "browser/worker/client",
  "worker-program": "browser/worker/program",
};
