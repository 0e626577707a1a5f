/** Precompiles in a bundle: as it is published, beside the program of the threads, and as others make it, without. */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type OutputOptions, rolldown } from "rolldown";
import { afterAll, expect, it } from "vitest";
import { OUTPUT, withBuilt } from "../../../../.ci/bundle.mjs";
import { concatBytes } from "../../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { BN254_POINTS } from "../../../support/curve-points.ts";
import { sweep } from "../../../support/seed.ts";

const project = fileURLToPath(new URL("../../../../", import.meta.url));
/** In the project, from where packages are found. */
const folder = join(project, `dist/test-${process.pid}`);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Packages stay where they are. */
const external = (id: string): boolean => !(id.startsWith(".") || isAbsolute(id));

async function write(input: URL, options: OutputOptions): Promise<void> {
  const build = await rolldown({
    input: fileURLToPath(input),
    platform: "node",
    external,
    plugins: [withBuilt(project)],
  });
  await build.write({ ...OUTPUT, ...options });
  await build.close();
}

const BUNDLES = [
  // As the library is, and as the command is.
  ["esm", "with/program.mjs", "in a thread"],
  ["cjs", "with/program.cjs", "in a thread"],
  // Without the threads' program the right answer is late for others, but it comes.
  ["esm", "without/program.mjs", "at once"],
] as const;

it.each(sweep(BUNDLES, ([format, , long]) => format === "esm" && long === "in a thread"))(
  "answers from within a bundle, and ends by itself: %s, %s, %s",
  async (format, name, long) => {
    const program = join(folder, name);
    await write(new URL("./bundled-program.ts", import.meta.url), { file: program, format });
    if (long === "in a thread") {
      await write(new URL("../../../../src/node/worker.ts", import.meta.url), {
        dir: dirname(program),
        entryFileNames: "[name].js",
        format: "esm",
      });
    }
    const [g1, minusG1] = [BN254_POINTS.g1[1], BN254_POINTS.g1[6]] as [Uint8Array, Uint8Array];
    const g2 = BN254_POINTS.g2[3] as Uint8Array;
    const right = encodeData(concatBytes(g1, g2, minusG1, g2)).slice(2);
    const wrong = encodeData(concatBytes(g1, g2)).slice(2);
    const { stdout } = await promisify(execFile)(process.execPath, [program, "8", right, wrong, right.repeat(3)]);
    const word = (value: number): string => String(value).padStart(64, "0");
    expect(stdout.split("\n")).toEqual([`at once ${word(1)}`, `at once ${word(0)}`, `${long} ${word(1)}`, ""]);
  },
);
