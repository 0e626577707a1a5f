/** Gives the node the ABIs and artifacts of files that the reader chose. */
import { ask } from "../rpc/client.ts";
import { connection } from "../rpc/connection.ts";
import { liveHead } from "../rpc/live.ts";
import { toHex } from "../text/hex.ts";
import { shown } from "../text/shown.ts";

/** Most files at once, and the most bytes of one, as it is and compressed. */
const MOST_FILES = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_COMPRESSED_BYTES = 5_000_000;
/** Files and failures that have a line of their own, where there are many. */
const MOST_LINES = 5;

type Listener = (name: string, document: object) => void;
const listeners: Listener[] = [];

/** Calls a listener with the name and the JSON of each file that the node takes from now on. */
export function whenAdded(listener: Listener): void {
  listeners.push(listener);
}

/**
 * Adds each file. Names and messages are cut for the page.
 *
 * @param address - the account that an ABI without a code belongs to
 * @returns lines that say what became of the files
 */
export async function addArtifacts(files: readonly File[], address: string | undefined): Promise<readonly string[]> {
  if (files.length > MOST_FILES) return [`At most ${MOST_FILES} files at once.`];
  const added: string[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const name = shown(file.name, 60);
    try {
      const names = await add(file, address);
      added.push(`${name}: added${names.length === 0 ? "" : ` ${shown(names.join(", "), 200)}`}.`);
    } catch (error) {
      refused.push(`${name}: ${shown((error as Error).message, 300)}`);
    }
  }
  liveHead.reload();
  return [...some(added, "were added"), ...some(refused, "were not added")];
}

/** The lines, or the first of many and how many there are. */
function some(lines: readonly string[], what: string): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `${lines.length} files ${what}.`];
}

/**
 * The JSON of a file that the reader chose.
 *
 * @throws {Error} if it is too large, or no JSON
 */
export async function readJson(file: File): Promise<object> {
  if (file.size > MOST_BYTES) throw new Error("It is larger than 64 MiB.");
  return parsed(await file.text());
}

/** Sent as compressed text: builds of large projects are larger than requests. */
async function add(file: File, address: string | undefined): Promise<readonly string[]> {
  const document = await readJson(file);
  const isAbi = Array.isArray(document);
  const own = file.name.replace(/\.json$/i, "").slice(0, 100);
  // An artifact finds its contracts by its codes; an ABI alone belongs to the account whose page is open.
  const owner = { ...(own === "" ? {} : { name: own }), ...(isAbi && address !== undefined ? { address } : {}) };
  const names = await ask<readonly string[]>("hindcast_addArtifact", await compressed(file), owner);
  for (const listener of listeners) listener(own, document);
  return names;
}

/** DATA of the file, gzipped. */
async function compressed(file: File): Promise<string> {
  const stream = file.stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.length > MOST_COMPRESSED_BYTES)
    throw new Error(`It has more than 5 MB, compressed. ${largerNode()}, which reads whole folders.`);
  return toHex(bytes);
}

/** What takes larger files. */
function largerNode(): string {
  const isServed = connection().url !== undefined;
  return isServed ? "Start the node with --artifacts" : "Use a node of your own: npx hindcast --artifacts";
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
