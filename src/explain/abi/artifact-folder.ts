/**
 * Reads a build folder of Hardhat or Foundry: its artifacts, and the paths of its build files. If it has no artifacts,
 * for example because it is the folder `build-info` itself, the contracts are those of the build files.
 */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { Build } from "../source/build.ts";
import { isBuildInfo, listBuildFiles, readBuildFiles } from "../source/read-build-info.ts";
import { parseAbi } from "./abi-item.ts";
import { type Artifact, listArtifactFiles, readArtifactFile } from "./artifacts.ts";
import { CodePattern } from "./code-pattern.ts";

/** The contracts of a build folder, and the builds that have their sources. */
export interface ArtifactFolder {
  readonly artifacts: readonly Artifact[];
  /** Builds that were read for their contracts. */
  readonly builds: readonly Build[];
  /** Paths of build files that have not been read. */
  readonly buildFiles: readonly string[];
}

/** Decides for each file if it is read. */
export type FileChoice = (path: string) => Promise<boolean>;

/**
 * Reads a build folder.
 *
 * @throws {InvalidParamsError} as {@link readChosenFiles}, and `NO_ARTIFACTS` if there is no contract
 */
export async function readArtifactFolder(folder: string): Promise<ArtifactFolder> {
  const found = await readChosenFiles(folder, async () => true);
  if (found.artifacts.length > 0) return found;
  const [gap] = found.builds.flatMap(({ gaps }) => gaps);
  throw new InvalidParamsError({
    code: "NO_ARTIFACTS",
    what: `There is no contract in ${folder}.`,
    where: gap ?? "None of its .json files has an ABI.",
    fix: "Compile first, and name Hardhat's folder artifacts or Foundry's folder out.",
  });
}

/**
 * Reads some of the files of a build folder. Build files are only read if the folder has no artifacts at all.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE` for the folder or a file in it, `INVALID_ABI` and `INVALID_BUILD` naming
 * the file
 */
export async function readChosenFiles(folder: string, isChosen: FileChoice): Promise<ArtifactFolder> {
  const files = await listArtifactFiles(folder);
  const artifactFiles = isBuildInfo(folder) ? [] : files;
  const artifacts: Artifact[] = [];
  for (const path of await chosenOf(artifactFiles, isChosen)) artifacts.push(...(await readArtifactFile(path)));
  const buildFiles = await chosenOf(await listBuildFiles(folder), isChosen);
  if (artifactFiles.length > 0) return { artifacts, builds: [], buildFiles };
  const builds = await readBuildFiles(buildFiles);
  return { artifacts: builds.flatMap(artifactsOf), builds, buildFiles: [] };
}

async function chosenOf(paths: readonly string[], isChosen: FileChoice): Promise<readonly string[]> {
  const chosen: string[] = [];
  for (const path of paths) if (await isChosen(path)) chosen.push(path);
  return chosen;
}

/**
 * The contracts of a build as artifacts.
 *
 * @throws {InvalidParamsError} `INVALID_ABI`
 */
export function artifactsOf({ contracts }: Build): readonly Artifact[] {
  return contracts.map(({ name, abi, creation, runtime }) => ({
    name,
    abi: parseAbi(abi ?? []),
    initCode: new CodePattern(creation?.template.bytes ?? EMPTY_BYTES),
    code: new CodePattern(runtime?.template.bytes ?? EMPTY_BYTES),
  }));
}
