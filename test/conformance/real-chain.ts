/** The chain that the rpc-compat cases were recorded on, where the collection is at hand. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rlpListLength } from "../../src/chain/files/file-reader.ts";

const projectFolder = fileURLToPath(new URL("../../", import.meta.url));
const collection = resolve(projectFolder, process.env.HINDCAST_CONFORMANCE ?? "../shared/conformance");
const folder = join(collection, "rpc-compat");

/** False where there is no collection: tests on it are skipped then, and their reports say so. */
export const hasRealChain: boolean = existsSync(join(folder, "chain.rlp"));

/** Ending of the names of test groups on the real chain. */
export const whereItIs: string = hasRealChain
  ? "of the rpc-compat collection"
  : `SKIPPED: there is no ${folder}; set HINDCAST_CONFORMANCE`;

const read = (name: string): Buffer => readFileSync(join(folder, name));

export const realGenesis = (): unknown => JSON.parse(read("genesis.json").toString("utf8"));
export const realChain = (): Uint8Array => new Uint8Array(read("chain.rlp"));

/** Messages that hive sends after the import: the head, safe and finalized block. */
export const realHead = (): { headBlockHash: string; safeBlockHash: string; finalizedBlockHash: string } =>
  (JSON.parse(read("headfcu.json").toString("utf8")) as { params: [ReturnType<typeof realHead>] }).params[0];

/** RLP of the blocks, block 1 first. */
export function realBlocks(): Uint8Array[] {
  const bytes = realChain();
  const blocks: Uint8Array[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const length = rlpListLength(bytes, offset) ?? bytes.length;
    blocks.push(bytes.subarray(offset, offset + length));
    offset += length;
  }
  return blocks;
}
