/** Gives the node the ABIs and artifacts of files that the reader chose. */
import { ask } from "../rpc/client.ts";
import { liveHead } from "../rpc/live.ts";
import { shown } from "../text/shown.ts";

/** Most files at once, and the most bytes of one. */
const MOST_FILES = 50;
const MOST_BYTES = 8 * 1024 * 1024;
/** Members of an artifact that the node reads; others may be large. */
const MEMBERS = [
  "contractName",
  "abi",
  "bytecode",
  "deployedBytecode",
  "linkReferences",
  "deployedLinkReferences",
  "immutableReferences",
];

/**
 * Adds each file. Names and messages are cut for the page.
 *
 * @param address - the account that an ABI without a code belongs to
 * @returns a line for each file, which says what became of it
 */
export async function addArtifacts(files: readonly File[], address: string | undefined): Promise<readonly string[]> {
  if (files.length > MOST_FILES) return [`At most ${MOST_FILES} files at once.`];
  const lines: string[] = [];
  for (const file of files) {
    const name = shown(file.name, 60);
    try {
      const names = await add(file, address);
      lines.push(`${name}: added${names.length === 0 ? "" : ` ${shown(names.join(", "), 200)}`}.`);
    } catch (error) {
      lines.push(`${name}: ${shown((error as Error).message, 300)}`);
    }
  }
  liveHead.reload();
  return lines;
}

/**
 * The JSON of a file that the reader chose.
 *
 * @throws {Error} if it is too large, or no JSON
 */
export async function readJson(file: File): Promise<object> {
  if (file.size > MOST_BYTES) throw new Error("It has more than 8 MiB.");
  return parsed(await file.text());
}

async function add(file: File, address: string | undefined): Promise<readonly string[]> {
  const value = await readJson(file);
  const isAbi = Array.isArray(value);
  const own = file.name.replace(/\.json$/i, "").slice(0, 100);
  // An artifact finds its contracts by its codes; an ABI alone belongs to the account whose page is open.
  const owner = { ...(own === "" ? {} : { name: own }), ...(isAbi && address !== undefined ? { address } : {}) };
  return ask<readonly string[]>("hindcast_addArtifact", isAbi ? value : reduced(value), owner);
}

function parsed(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("It is not JSON.");
  }
  if (typeof value !== "object" || value === null) throw new Error("It is neither an ABI nor an artifact nor a build.");
  return value;
}

function reduced(value: object): object {
  const members = value as Readonly<Record<string, unknown>>;
  if (members.abi === undefined) return value;
  return Object.fromEntries(MEMBERS.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])));
}
