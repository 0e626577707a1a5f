/** Sums of more terms than are multiplied together. */
import { afterAll, expect, it } from "vitest";
import { PrecompileSet } from "../../../src/engines/wasm/precompiles/precompile-set.ts";
import { type Bytes, bigIntToFixedBytes, concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { BLS_POINTS } from "../../support/curve-points.ts";

const precompiles = new PrecompileSet();
afterAll(() => precompiles.close());

it.each([
  ["G1", 0x0c, BLS_POINTS.g1[1] as Bytes],
  ["G2", 0x0e, BLS_POINTS.g2[1] as Bytes],
])("%s: a sum of 200 multiples of a point is the multiple by the sum of their scalars", async (_name, home, point) => {
  const scalars = Array.from({ length: 200 }, (_, index) => 3n ** BigInt(index % 160));
  const terms = scalars.map((scalar) => concatBytes(point, bigIntToFixedBytes(scalar, 32)));
  const total = scalars.reduce((sum, scalar) => sum + scalar, 0n);
  const precompile = precompiles.of("prague").get(home);
  const expected = await precompile?.run(concatBytes(point, bigIntToFixedBytes(total, 32)));
  expect(await precompile?.run(concatBytes(...terms))).toEqual(expected);
});
