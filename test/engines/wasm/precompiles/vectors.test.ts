/** Vectors of the EIPs: see fixtures/precompiles/README.md. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { PrecompileSet } from "../../../../src/engines/wasm/precompiles/precompile-set.ts";
import { decodeData, encodeData } from "../../../../src/primitives/bytes/hex.ts";

interface Vector {
  readonly home: number;
  readonly name: string;
  readonly input: string;
  readonly output?: string;
  readonly fault?: string;
}

const path = new URL("../../../../fixtures/precompiles/vectors.json", import.meta.url);
const vectors = JSON.parse(readFileSync(path, "utf8")) as readonly Vector[];
/** It takes minutes. */
const isEndless = ({ input }: Vector): boolean => input.startsWith("ffffffff");

const precompiles = new PrecompileSet();
afterAll(() => precompiles.close());

describe("a vector of an EIP", () => {
  it.each(vectors.filter((vector) => !isEndless(vector)))("$name", async ({ home, input, output, fault }) => {
    const answer = await precompiles
      .of("osaka")
      .get(home)
      ?.run(decodeData(`0x${input}`));
    const expected = fault === undefined ? { output: `0x${output}` } : { fault };
    expect(answer !== undefined && "output" in answer ? { output: encodeData(answer.output) } : answer).toEqual(
      expected,
    );
  });
});
