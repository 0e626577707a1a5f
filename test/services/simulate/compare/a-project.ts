/** A folder of artifacts, with the sources of `fixtures/hardfork-report`. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { aFolder } from "../../../support/a-folder.ts";

const BUILD = new URL("../../../../fixtures/hardfork-report/build.json.br", import.meta.url);

/** PUSH3 of the size, PUSH1 0, RETURN: deploys so many zeros. */
const deploying = (size: number): string => `0x62${size.toString(16).padStart(6, "0")}6000f3`;

/** The init code and the size of the deployed code of each contract. */
export interface ProjectContract {
  readonly initCode?: string;
  readonly codeSize: number;
  readonly constructorInputs?: readonly object[];
}

/** Writes artifacts as Hardhat does. @returns the folder */
export async function aProject(
  contracts: Readonly<Record<string, ProjectContract>>,
  { withBuild = true }: { readonly withBuild?: boolean } = {},
): Promise<string> {
  const folder = await aFolder();
  for (const [name, { codeSize, constructorInputs, initCode = deploying(codeSize) }] of Object.entries(contracts)) {
    const constructorItem = { type: "constructor", stateMutability: "nonpayable", inputs: constructorInputs };
    const artifact = {
      contractName: name,
      abi: constructorInputs === undefined ? [] : [constructorItem],
      bytecode: codeSize === 0 ? "0x" : initCode,
      deployedBytecode: `0x${"00".repeat(codeSize)}`,
    };
    await writeFile(join(folder, `${name}.json`), JSON.stringify(artifact));
  }
  if (withBuild) {
    await mkdir(join(folder, "build-info"));
    await writeFile(join(folder, "build-info", "build.json"), brotliDecompressSync(await readFile(BUILD)));
  }
  return folder;
}
