/**
 * Reads the build files that Hardhat and Foundry write beside artifacts, in their folder `build-info`.
 *
 * Hardhat 2 and Foundry (with `build_info = true`) write input and output into one file, Hardhat 3 into two: `ID.json`
 * and `ID.output.json`.
 */
import { HindcastError, InvalidParamsError } from "../../errors/hindcast-error.ts";
import { FILE_JSON } from "../../primitives/json/json-limits.ts";
import { readJsonBytes } from "../../primitives/json/read-json.ts";
import { joinPath, listFolder, readPieces } from "../../primitives/platform/files.ts";
import { type Build, type CompilerDocuments, readBuild } from "./build.ts";
import { isObject, type JsonObject, objectOf } from "./read/json-values.ts";

const MEMBERS: ReadonlySet<string> = new Set(["input", "output"]);
const OUTPUT = ".output.json";

/** Advice for a file without the compiler's output. */
const FOUNDRY_FIX = "Set build_info = true and ast = true in foundry.toml, and build with --force";

/** True for the path of a folder `build-info`. */
export function isBuildInfo(folder: string): boolean {
  return /(?:^|[\\/])build-info[\\/]*$/.test(folder);
}

/** Paths of the build files of an artifact folder, or of its folder `build-info`; none if there is no such folder. */
export async function listBuildFiles(folder: string): Promise<readonly string[]> {
  const entries = await listFolder(isBuildInfo(folder) ? folder : joinPath(folder, "build-info")).catch(() => []);
  return entries.filter(({ name }) => name.endsWith(".json") && !name.endsWith(OUTPUT)).map(({ path }) => path);
}

/**
 * Reads build files. One without the compiler's output only adds a gap.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` naming the file
 */
export async function readBuildFiles(paths: readonly string[]): Promise<readonly Build[]> {
  const builds: Build[] = [];
  for (const path of paths) builds.push(await readBuildFile(path));
  return builds;
}

/**
 * Input and output of the compiler in a build file, or in the two of Hardhat 3; undefined if one is missing.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`
 */
export async function readCompilerRun(
  path: string,
): Promise<{ readonly input: JsonObject; readonly output: JsonObject } | undefined> {
  const { input, output } = await readDocuments(path);
  return isObject(input) && isObject(output) ? { input, output } : undefined;
}

async function readBuildFile(path: string): Promise<Build> {
  const { input, output } = await readDocuments(path);
  if (!isObject(input) || !isObject(output)) {
    const gaps = [`${path} has no input or output of the compiler. ${FOUNDRY_FIX}.`];
    return { contracts: [], gaps, documents: async () => ({ input, output }) };
  }
  try {
    return readBuild(input, output, () => readDocuments(path));
  } catch (cause) {
    if (!(cause instanceof HindcastError)) throw cause;
    throw new InvalidParamsError({ code: "INVALID_BUILD", what: `${path}: ${cause.message}`, cause });
  }
}

async function readDocuments(path: string): Promise<CompilerDocuments> {
  const { input, output } = await readMembers(path);
  if (isObject(output)) return { input, output };
  const beside = await readMembers(path.replace(/\.json$/, OUTPUT)).catch(() => objectOf(undefined));
  return { input, output: beside.output };
}

async function readMembers(path: string): Promise<JsonObject> {
  const options = { limits: FILE_JSON, wants: (name: string) => MEMBERS.has(name) };
  try {
    return objectOf(await readJsonBytes(readPieces(path), options));
  } catch (cause) {
    throw new InvalidParamsError({
      code: "FILE_NOT_READABLE",
      what: `Cannot read the build file ${path}.`,
      where: `${cause instanceof Error ? cause.message : String(cause)}.`,
      fix: "Compile again, or leave the folder out.",
      cause,
    });
  }
}
