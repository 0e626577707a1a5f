/** Reads contracts from the artifact folders of Hardhat (`artifacts/**\/X.json`) and Foundry (`out/**\/X.json`). */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { JsonSpans } from "../../primitives/json/json-spans.ts";
import { toUtf8 } from "../../primitives/platform/encodings.ts";
import { type FolderEntry, listFolder, readBytes } from "../../primitives/platform/files.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import type { Build, SourceMatch } from "../source/build.ts";
import { CodeTemplate } from "../source/code-template.ts";
import { isObject, type JsonObject } from "../source/read/json-values.ts";
import { type AbiItem, parseAbi } from "./abi-item.ts";

/** A compiled contract. An interface has no codes. */
export interface Artifact {
  readonly name: string;
  readonly abi: readonly AbiItem[];
  readonly creation: CodeTemplate | undefined;
  /** The deployed code. */
  readonly runtime: CodeTemplate | undefined;
  /** Only if a server gave it. */
  readonly sourceMatch?: SourceMatch;
}

/** Members of Hardhat's and Foundry's files that are read: the files contain much more. */
const MEMBERS: ReadonlySet<string> = new Set([
  "abi",
  "contractName",
  "bytecode",
  "deployedBytecode",
  "linkReferences",
  "deployedLinkReferences",
  "immutableReferences",
]);

/** Folders with the compiler's own inputs and outputs. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["build-info", "cache", "node_modules"]);

/**
 * Paths of the files below a folder that may be artifacts, in order.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`
 */
export function* listArtifactFiles(folder: string): Steps<readonly string[]> {
  const files: string[] = [];
  for (const { name, path, kind } of entriesOf(folder)) {
    if (kind === "folder" && !SKIPPED_FOLDERS.has(name)) files.push(...(yield* listArtifactFiles(path)));
    else if (kind === "file" && name.endsWith(".json") && !name.endsWith(".dbg.json")) files.push(path);
  }
  yield;
  return files;
}

function entriesOf(folder: string): readonly FolderEntry[] {
  try {
    return listFolder(folder);
  } catch (cause) {
    throw notReadable(folder, cause);
  }
}

/**
 * The artifact in a file; none if its JSON has no ABI.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_ABI`, naming the file
 */
export function readArtifactFile(path: string): readonly Artifact[] {
  const members = membersOf(path);
  if (!("abi" in members)) return [];
  try {
    return [artifactOf(members, path.replace(/^.*[\\/]|\.json$/g, ""))];
  } catch (cause) {
    if (!(cause instanceof InvalidParamsError)) throw cause;
    throw new InvalidParamsError({ code: "INVALID_ABI", what: `${path}: ${cause.message}`, cause });
  }
}

/**
 * The artifact with these members.
 *
 * @param fallbackName - for a file of Foundry, which does not name its contract
 * @throws {InvalidParamsError} `INVALID_ABI`
 */
export function artifactOf(members: JsonObject, fallbackName: string): Artifact {
  const { contractName, bytecode, deployedBytecode, linkReferences, deployedLinkReferences, immutableReferences } =
    members;
  return {
    name: typeof contractName === "string" ? contractName : fallbackName,
    abi: parseAbi(members.abi),
    creation: templateOf(bytecode, { linkReferences }),
    runtime: templateOf(deployedBytecode, { linkReferences: deployedLinkReferences, immutableReferences }),
  };
}

/** The contracts of a build. @throws {InvalidParamsError} `INVALID_ABI` */
export function* artifactsOf({ contracts }: Build): Steps<readonly Artifact[]> {
  const artifacts: Artifact[] = [];
  for (const { name, abi, creation, runtime } of contracts) {
    artifacts.push({ name, abi: parseAbi(abi ?? []), creation: creation?.template, runtime: runtime?.template });
    yield;
  }
  return artifacts;
}

function membersOf(path: string): JsonObject {
  try {
    return readMembers(readBytes(path));
  } catch (cause) {
    throw notReadable(path, cause);
  }
}

function readMembers(bytes: Uint8Array): JsonObject {
  const members: Record<string, unknown> = {};
  const spans = new JsonSpans(
    ([name = ""]) => (MEMBERS.has(name) ? "report" : "skip"),
    ([name = ""], { start, end }) => {
      members[name] = JSON.parse(toUtf8(bytes.subarray(start, end)));
    },
  );
  try {
    spans.push(bytes);
    spans.end();
    return members;
  } catch {
    // A list or a number is no artifact, but no error either; a text that is no JSON is one.
    JSON.parse(toUtf8(bytes));
    return {};
  }
}

/** Hardhat writes hex beside the places of gaps, Foundry an object with both; anything else counts as no code. */
function templateOf(bytecode: unknown, gaps: JsonObject): CodeTemplate | undefined {
  return CodeTemplate.parse(isObject(bytecode) ? bytecode : { ...gaps, object: bytecode }, true);
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
