/** A program that reads slots of a remote account through a cache, and prints each one that it was given. */
import { bigIntToFixedBytes } from "../../../src/primitives/bytes/bytes.ts";
import { decodeData } from "../../../src/primitives/bytes/hex.ts";
import { openRemoteChain } from "../../../src/remote/open-remote-chain.ts";

const [url = "", folder = "", blockHash = "", address = "", from = "0", verify] = process.argv.slice(2);
const chain = await openRemoteChain({
  urls: [url],
  cache: { folder },
  blockHash: blockHash as `0x${string}`,
  verify: verify === "true",
});
console.log("open");
for (let start = Number(from); start < Number(from) + 1000; start += 10) {
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const slot = bigIntToFixedBytes(BigInt(start + index), 32);
      const value = await chain.state.getStorage(decodeData(address), slot);
      console.log(`slot ${start + index} ${Buffer.from(value).toString("hex")}`);
    }),
  );
}
await chain.close();
