/** Reads contracts from the artifact folders of Hardhat (`artifacts/**\/X.json`) and Foundry (`out/**\/X.json`). */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { FILE_JSON } from "../../primitives/json/json-limits.ts";
import { readJsonBytes } from "../../primitives/json/read-json.ts";
import { listFolder, readPieces } from "../../primitives/platform/files.ts";
import { type AbiItem, parseAbi } from "./abi-item.ts";
import { CodePattern } from "./code-pattern.ts";

/** A compiled contract. The codes of an interface are empty. */
export interface Artifact {
  readonly name: string;
  readonly abi: readonly AbiItem[];
  readonly initCode: CodePattern;
  /** The deployed code. */
  readonly code: CodePattern;
}

const MEMBERS: ReadonlySet<string> = new Set(["abi", "contractName", "bytecode", "deployedBytecode"]);

/** Folders with the compiler's own inputs and outputs. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["build-info", "cache", "node_modules"]);

/**
 * Paths of the files below a folder that may be artifacts, in order.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`
 */
export async function listArtifactFiles(folder: string): Promise<readonly string[]> {
  const entries = await listFolder(folder).catch((cause: unknown) => {
    throw notReadable(folder, cause);
  });
  const paths: string[] = [];
  for (const { name, path, kind } of entries) {
    if (kind === "folder" && !SKIPPED_FOLDERS.has(name)) paths.push(...(await listArtifactFiles(path)));
    else if (kind === "file" && name.endsWith(".json") && !name.endsWith(".dbg.json")) paths.push(path);
  }
  return paths;
}

/**
 * The artifact in a file; none if its JSON has no ABI.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_ABI`, naming the file
 */
export async function readArtifactFile(path: string): Promise<readonly Artifact[]> {
  return parseArtifact(await readMembers(path), path);
}

/** Keeps only the members that are used, because these files contain much more. */
async function readMembers(path: string): Promise<unknown> {
  const options = { limits: FILE_JSON, wants: (name: string) => MEMBERS.has(name) };
  return readJsonBytes(readPieces(path), options).catch((cause: unknown) => {
    throw notReadable(path, cause);
  });
}

function parseArtifact(value: unknown, path: string): readonly Artifact[] {
  if (typeof value !== "object" || value === null || !("abi" in value)) return [];
  const { abi, contractName, bytecode, deployedBytecode } = value as Readonly<Record<string, unknown>>;
  try {
    const name = typeof contractName === "string" ? contractName : path.replace(/^.*[\\/]|\.json$/g, "");
    return [{ name, abi: parseAbi(abi), initCode: patternOf(bytecode), code: patternOf(deployedBytecode) }];
  } catch (cause) {
    if (!(cause instanceof InvalidParamsError)) throw cause;
    throw new InvalidParamsError({ code: "INVALID_ABI", what: `${path}: ${cause.message}`, cause });
  }
}

/** Hardhat writes hex, Foundry an object with it; anything else counts as no code. */
function patternOf(bytecode: unknown): CodePattern {
  const text = typeof bytecode === "object" && bytecode !== null ? (bytecode as { object?: unknown }).object : bytecode;
  return (typeof text === "string" ? CodePattern.parse(text) : undefined) ?? new CodePattern(EMPTY_BYTES);
}

function notReadable(path: string, cause: unknown): InvalidParamsError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new InvalidParamsError({
    code: "FILE_NOT_READABLE",
    what: `Cannot read the artifacts: ${path}.`,
    where: `${reason}.`,
    fix: "Name the folder that Hardhat (artifacts) or Foundry (out) compiles to.",
    cause,
  });
}
