/**
 * A process with a store of its own. `hold FOLDER` opens it and waits to be killed; `write FOLDER` then writes blocks for
 * ever, one batch of one to three blocks after the other, and prints the number of the last block of each batch when
 * it was acknowledged.
 */
import { ChainStore } from "../../src/store/chain-store.ts";
import { aBlock, anIdentity, hashOf } from "./a-block.ts";
import { logsOfNumber } from "./a-written-chain.ts";

const [task, dataDir = ""] = process.argv.slice(2);
const store = await ChainStore.open({ dataDir, identity: anIdentity });
console.log("open");
if (task === "write") await writeForEver();
else setInterval(() => undefined, 1_000);

async function writeForEver(): Promise<void> {
  const head = store.getHead();
  let number = head === undefined ? 0 : Number(Buffer.from(store.getSetting("number") ?? []).readUInt32BE()) + 1;
  while (true) {
    const batch = store.batch();
    const last = number + (number % 3);
    for (; number <= last; number++) {
      const block = aBlock({ number, logs: logsOfNumber(number) });
      batch.putBlock(block);
      batch.setCanonical(block);
      batch.setHead(block.hash);
      batch.putTrieNodes([{ hash: hashOf(number), bytes: Uint8Array.of(0xc1, number & 0x7f) }]);
    }
    const name = Buffer.alloc(4);
    name.writeUInt32BE(last);
    batch.putSetting("number", name);
    await batch.write();
    console.log(String(last));
  }
}
