import { expect, it } from "vitest";
import { responseShapeAt } from "../../src/server/address-forms.ts";

it.each([
  ["/", "standard"],
  ["/?key=1", "standard"],
  ["/v4/ethereum/non-archival/mainnet", "parity"],
  ["/v4/a/non-archival/b?x=/y", "parity"],
  ["", undefined],
  ["/v4", undefined],
  ["/v4/ethereum/non-archival", undefined],
  ["/v4/ethereum/archival/mainnet", undefined],
  ["/v4//non-archival/mainnet", undefined],
  ["/v4/ethereum/non-archival/", undefined],
  ["/v4/ethereum/non-archival/mainnet/x", undefined],
  ["/v5/ethereum/non-archival/mainnet", undefined],
  ["//", undefined],
])("%s is of the shape %s", (target, shape) => {
  expect(responseShapeAt(target)).toBe(shape);
});
