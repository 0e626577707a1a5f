/** Every precompile against EthereumJS', in all hardforks, on a few inputs; the slow test takes many. */
import { afterAll, describe, it } from "vitest";
import { PrecompileSet } from "../../../../src/engines/wasm/precompiles/precompile-set.ts";
import { PRECOMPILE_INPUTS } from "../../../support/precompile-inputs.ts";
import { runs } from "../../../support/seed.ts";
import { ReferenceTest } from "./precompile-properties.ts";

const precompiles = new PrecompileSet();
afterAll(() => precompiles.close());
const test = new ReferenceTest(precompiles);

/** EthereumJS takes 10 ms and more for a pairing, a multiplication of BLS12-381 or a KZG proof. */
const SLOW: readonly number[] = [0x08, 0x0a, 0x0c, 0x0e, 0x0f];

describe("a precompile costs and answers what EthereumJS' does", () => {
  it.each([...PRECOMPILE_INPUTS.keys()])("%i", (home) => test.run(home, 4 * runs(SLOW.includes(home) ? 20 : 50)));
});
