/** Every precompile against EthereumJS', in all hardforks, on many inputs. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { PrecompileSet } from "../../../../src/engines/wasm/precompiles/precompile-set.ts";
import { decodeData } from "../../../../src/primitives/bytes/hex.ts";
import { PRECOMPILE_INPUTS } from "../../../support/precompile-inputs.ts";
import { ReferenceTest } from "./precompile-properties.ts";

const precompiles = new PrecompileSet();
afterAll(() => precompiles.close());
const test = new ReferenceTest(precompiles);

/** EthereumJS takes 10 ms and more for a pairing, a multiplication of BLS12-381 or a KZG proof. */
const SLOW: readonly number[] = [0x08, 0x0a, 0x0c, 0x0e, 0x0f];
/** So it does for a map to G2, whose inputs are two numbers: these runs meet each pair of their edges several times. */
const MAP_TO_G2 = 0x11;

function runsOf(home: number): number {
  if (home === MAP_TO_G2) return 1_000;
  return SLOW.includes(home) ? 300 : 3_000;
}

describe("a precompile costs and answers what EthereumJS' does", () => {
  it.each([...PRECOMPILE_INPUTS.keys()])("%i", (home) => test.run(home, runsOf(home)));
});

it("takes as many rounds of blake2f as there can be (EIP-152, vector 8)", async () => {
  const path = new URL("../../../../fixtures/precompiles/vectors.json", import.meta.url);
  const vectors = JSON.parse(readFileSync(path, "utf8")) as { name: string; input: string; output: string }[];
  const { input, output } = vectors.find(({ name }) => name === "EIP-152 vector 8") as (typeof vectors)[number];
  const answer = await precompiles
    .of("osaka")
    .get(0x09)
    ?.run(decodeData(`0x${input}`));
  expect(answer).toEqual({ output: decodeData(`0x${output}`) });
});
