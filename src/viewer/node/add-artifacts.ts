/** Gives the node the ABIs and artifacts of files that the reader chose. */
import { ask } from "../rpc/client.ts";
import { liveHead } from "../rpc/live.ts";
import { shown } from "../text/shown.ts";

/** Most files at once, and the most bytes of one, as it is and compressed. */
const MOST_FILES = 50;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_COMPRESSED_BYTES = 5_000_000;
/** Bytes that are written as digits at once. */
const PART_BYTES = 65_536;

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
  if (file.size > MOST_BYTES) throw new Error("It is larger than 64 MiB.");
  return parsed(await file.text());
}

/** Sent as compressed text: builds of large projects are larger than requests. */
async function add(file: File, address: string | undefined): Promise<readonly string[]> {
  const isAbi = Array.isArray(await readJson(file));
  const own = file.name.replace(/\.json$/i, "").slice(0, 100);
  // An artifact finds its contracts by its codes; an ABI alone belongs to the account whose page is open.
  const owner = { ...(own === "" ? {} : { name: own }), ...(isAbi && address !== undefined ? { address } : {}) };
  return ask<readonly string[]>("hindcast_addArtifact", await compressed(file), owner);
}

/** DATA of the file, gzipped. */
async function compressed(file: File): Promise<string> {
  const stream = file.stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.length > MOST_COMPRESSED_BYTES)
    throw new Error("It has more than 5 MB, compressed. Start the node with --artifacts, which reads whole folders.");
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += PART_BYTES)
    parts.push(
      Array.from(bytes.subarray(start, start + PART_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join(""),
    );
  return `0x${parts.join("")}`;
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
