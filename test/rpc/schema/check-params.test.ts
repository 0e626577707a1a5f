import { expect, it } from "vitest";
import { z } from "zod";
import { checkValue } from "../../../src/rpc/schema/check-params.ts";

it("reads a list of invalid items up to the first of them, which the error names", () => {
  let explained = 0;
  const shape = z.string({
    error: () => {
      explained++;
      return "expected a text";
    },
  });
  const list = z.array(z.object({ name: shape }));
  const items = Array.from({ length: 1_000 }, (_, index) => ({ name: index < 3 ? "a text" : index }));
  expect(() => checkValue(list, items, "params[0]")).toThrow("params[0][3].name: expected a text, got 3.");
  expect(explained).toBe(1);
});
