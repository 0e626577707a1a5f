/** Precompiles in a bundle as it is published: threads get their program as text, and find their libraries from there. */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, expect, it } from "vitest";
import { OUTPUT } from "../../../../.ci/bundle.mjs";
import { concatBytes } from "../../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { BN254_POINTS } from "../../../support/curve-points.ts";

/** In the project, from where packages are found. */
const folder = fileURLToPath(new URL(`../../../../dist/test-${process.pid}`, import.meta.url));
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  // As the library is, and as the command is.
  ["esm", "program.mjs"],
  ["cjs", "program.cjs"],
] as const)("answers at once and in a thread from within a bundle, and ends by itself: %s", async (format, name) => {
  const program = join(folder, name);
  const build = await rolldown({
    input: fileURLToPath(new URL("./bundled-program.ts", import.meta.url)),
    platform: "node",
  });
  await build.write({ ...OUTPUT, file: program, format });
  await build.close();
  const [g1, minusG1] = [BN254_POINTS.g1[1], BN254_POINTS.g1[6]] as [Uint8Array, Uint8Array];
  const g2 = BN254_POINTS.g2[3] as Uint8Array;
  const right = encodeData(concatBytes(g1, g2, minusG1, g2)).slice(2);
  const wrong = encodeData(concatBytes(g1, g2)).slice(2);
  const { stdout } = await promisify(execFile)(process.execPath, [program, "8", right, wrong, right.repeat(3)]);
  const word = (value: number): string => String(value).padStart(64, "0");
  expect(stdout.split("\n")).toEqual([`at once ${word(1)}`, `at once ${word(0)}`, `in a thread ${word(1)}`, ""]);
});
