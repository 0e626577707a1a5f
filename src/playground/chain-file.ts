/** The chain of the playground as bytes: a state file, as `anvil_dumpState` gives it and `--load-state` takes it. */
import { ask } from "../viewer/rpc/client.ts";
import { liveHead } from "../viewer/rpc/live.ts";
import type { NodeMetadata } from "../viewer/rpc/types.ts";
import { toHex } from "../viewer/text/hex.ts";

/** Most bytes of a chain, and of what it is unpacked. The node has bounds of its own, which are larger. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_UNPACKED_BYTES = 256 * 1024 * 1024;

/** The chain, compressed. */
export async function chainBytes(): Promise<Uint8Array<ArrayBuffer>> {
  return fromHex(await ask<string>("anvil_dumpState"));
}

/**
 * Replaces the chain.
 *
 * @param mostUnpacked - most bytes when it is unpacked
 * @throws {Error} if it is too large, or no state file; then the chain stays as it is
 */
export async function openChain(bytes: Uint8Array<ArrayBuffer>, mostUnpacked = MOST_UNPACKED_BYTES): Promise<void> {
  if (bytes.length > MOST_BYTES) throw new Error(`It has more than ${MOST_BYTES / 1024 / 1024} MiB.`);
  await requireUnpacked(bytes, mostUnpacked);
  await ask("anvil_loadState", toHex(bytes));
  liveHead.reload();
  await liveHead.look();
}

/** A file of a fork holds only what was changed here. @throws {Error} if the chain is a fork */
export async function requireOwnChain(): Promise<void> {
  const { forkedNetwork } = await ask<NodeMetadata>("hardhat_metadata");
  if (forkedNetwork !== undefined) throw new Error("The chain is a fork of another, which a file cannot hold.");
}

/** Unpacks, and keeps nothing: a small file may unpack to a large one. */
async function requireUnpacked(bytes: Uint8Array<ArrayBuffer>, most: number): Promise<void> {
  // The mark of gzip. Anvil writes plain JSON as well.
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error("It is damaged: it cannot be unpacked.");
    });
    if (done) return;
    length += value.length;
    if (length <= most) continue;
    await reader.cancel();
    throw new Error(`It unpacks to more than ${most / 1024 / 1024} MiB.`);
  }
}

/** Bytes of DATA. */
function fromHex(data: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length / 2 - 1);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(data.slice(2 + 2 * index, 4 + 2 * index), 16);
  return bytes;
}
