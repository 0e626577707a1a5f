import { expect, it } from "vitest";
import { timesTaken } from "../../../src/explain/coverage/conditional-jumps.ts";
import { BuiltCode } from "../../../src/explain/source/build.ts";
import { CodeTemplate } from "../../../src/explain/source/code-template.ts";
import { SourceFile } from "../../../src/explain/source/source-file.ts";
import { fromHexDigits } from "../../../src/primitives/platform/encodings.ts";

// CALLVALUE PUSH1 6 JUMPI, JUMPDEST STOP, JUMPDEST STOP
const CODE = "346006575b005b00";

it("a jump was taken as often as its destination ran, if other code jumps to the instruction after it", () => {
  const files = new Map([[0, new SourceFile("A.sol", "contract A {}")]]);
  const template = new CodeTemplate(fromHexDigits(CODE), []);
  const code = new BuiltCode(template, { sourceMap: "0:13:0:-;;;;;;" }, files);
  expect([...code.instructions.keys()]).toEqual([0, 1, 3, 4, 5, 6, 7]);
  // The jump ran three times and was taken twice; five times another jump led to the instruction after it.
  expect(timesTaken(code, Float64Array.of(3, 3, 3, 3, 6, 6, 2, 2), 3)).toBe(2);
});
