import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { methodTypes } from "../../../.ci/method-types.mjs";
import { describeMethods } from "../../../src/rpc/openrpc/document.ts";
import { methods } from "../../../src/rpc/registry.ts";

it("src/rpc/wire-types.generated.ts is what follows from the registry (npm run docs renews it)", () => {
  const written = readFileSync(new URL("../../../src/rpc/wire-types.generated.ts", import.meta.url), "utf8");
  expect(methodTypes(describeMethods({ methods, version: "", answers: {} }))).toBe(written);
});
