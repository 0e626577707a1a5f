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
