/** The folder `build-info` that Hardhat and Foundry write beside artifacts. */
import { type FolderEntry, joinPath, listFolder } from "../../primitives/platform/files.ts";

const OUTPUT = ".output.json";

/** Path of the file with the output that Hardhat 3 writes beside a build file. */
export const outputFileOf = (path: string): string => path.replace(/\.json$/, OUTPUT);

/** True for the path of a folder `build-info`. */
export function isBuildInfo(folder: string): boolean {
  return /(?:^|[\\/])build-info[\\/]*$/.test(folder);
}

/** The folder `build-info` of an artifact folder, or the folder itself. */
export function buildInfoOf(folder: string): string {
  return isBuildInfo(folder) ? folder : joinPath(folder, "build-info");
}

/** Paths of the build files of an artifact folder, or of its folder `build-info`; none if there is no such folder. */
export function listBuildFiles(folder: string): readonly string[] {
  return entriesOf(buildInfoOf(folder))
    .filter(({ name }) => name.endsWith(".json") && !name.endsWith(OUTPUT))
    .map(({ path }) => path);
}

function entriesOf(folder: string): readonly FolderEntry[] {
  try {
    return listFolder(folder);
  } catch {
    return [];
  }
}
