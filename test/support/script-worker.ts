/**
 * Bundles the program of the threads that JavaScript tracers run in, next to its source: a thread is started with a file
 * that Node can read, which for some versions means no TypeScript.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const source = fileURLToPath(new URL("../../src/node/script-worker.ts", import.meta.url));
const output = source.replace(/\.ts$/, ".js");

export async function setup(): Promise<void> {
  // Packages stay where they are.
  const external = (id: string): boolean => !(id.startsWith(".") || isAbsolute(id));
  const build = await rolldown({ input: source, platform: "node", external });
  const { output: files } = await build.generate({ format: "esm", codeSplitting: false });
  await build.close();
  const [{ code }] = files;
  if (existsSync(output) && readFileSync(output, "utf8") === code) return;
  const temporary = `${output}.${process.pid}.tmp`;
  writeFileSync(temporary, code);
  // In one step: several may test at once.
  renameSync(temporary, output);
}
