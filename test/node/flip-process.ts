/**
 * A process that changes one bit after the other in copies of a data folder, and reads each copy as users do.
 *
 *   flip-process.ts WHOLE DAMAGED SEED FIRST COUNT
 *
 * WHOLE is the folder, DAMAGED where its copies are made. Runs the flips of a seed from the first one on, and prints
 * `flip NAME byte N bit N` before each copy is read and `outcome TEXT` after that.
 */
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findingText } from "../../src/chain/check/findings.ts";
import { HindcastError } from "../../src/errors/hindcast-error.ts";
import { checkDataFolder } from "../../src/node/check-data-folder.ts";
import { createNode } from "../../src/node/create-node.ts";
import { OPTIONS } from "../chain/killed-options.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { contentOf } from "./chain-content.ts";

const [whole = "", damaged = "", seed = "", first = "", count = ""] = process.argv.slice(2);
const files = filesIn(whole);
const content = await contentIn(whole);
const random = randomNumbers(Number(seed));
for (let flip = 0; flip < Number(count); flip++) {
  const name = files[flip % files.length] as string;
  const bytes = readFileSync(join(whole, name));
  const [at, bit] = [Math.floor(random() * bytes.length), Math.floor(random() * 8)];
  if (flip < Number(first)) continue;
  console.log(`flip ${name} byte ${at} bit ${bit}`);
  rmSync(damaged, { recursive: true, force: true });
  cpSync(whole, damaged, { recursive: true });
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  writeFileSync(join(damaged, name), bytes);
  console.log(`outcome ${await outcomeOf(damaged)}`);
}

/** All files in a folder, by their path in it. */
function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => statSync(join(folder, name)).isFile() && statSync(join(folder, name)).size > 0).sort();
}

/** Of a copy, since opening a folder changes its files. */
async function contentIn(folder: string): Promise<string> {
  cpSync(folder, damaged, { recursive: true });
  const node = await createNode({ ...OPTIONS, dataDir: damaged });
  try {
    return await contentOf(node);
  } finally {
    await node.close();
  }
}

/** "found" if a check or an open node says that something is wrong. */
async function outcomeOf(dataDir: string): Promise<string> {
  try {
    const { found, notices } = await checkDataFolder({ ...OPTIONS, dataDir }, false);
    if (notices.length > 0) return "found";
    if (found.length > 0) return found.every((each) => findingText(each) !== "") ? "found" : "a finding without a text";
    const node = await createNode({ ...OPTIONS, dataDir });
    try {
      if ((await contentOf(node)) !== content) return "something else is read, and nobody says so";
      await node.mine();
      return "harmless";
    } finally {
      await node.close();
    }
  } catch (error) {
    if (error instanceof HindcastError && error.code !== "INTERNAL_ERROR") return "found";
    return `${error}`.replaceAll("\n", " ");
  }
}
