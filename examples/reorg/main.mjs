import { createNode } from "hindcast";

const node = await createNode();
const ask = (method, ...params) => node.provider.request({ method, params });
const [from] = await ask("eth_accounts");
const filter = await ask("eth_newFilter", {});
const index = new Set(); // The indexer under test: it believes what its filter tells it.
async function poll() {
  for (const { removed, blockHash, logIndex } of await ask("eth_getFilterChanges", filter)) {
    index[removed ? "delete" : "add"](`${blockHash} ${logIndex}`);
  }
  return index.size;
}
await ask("eth_sendTransaction", { from, data: "0x60006000a000" }); // A contract whose constructor emits a log.
console.log("mined:", await poll());
await node.reorg({ depth: 1, blocks: [[], []] }); // Two blocks take the place of one; its transaction waits again.
console.log("reorged:", await poll());
await node.mine();
console.log("mined again:", await poll());
await node.close();
