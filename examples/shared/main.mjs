// One chain, three nodes in one process. With a PostgreSQL: HINDCAST_SHARED=postgres://user:password@host/database
import { createNode } from "hindcast";

const url = process.env.HINDCAST_SHARED;
const nodes = [];
const start = async (options) => {
  const node = await createNode(options);
  nodes.push(node);
  const server = await node.listen({ port: 0 });
  return { url: server.url, ask: (method, ...params) => node.provider.request({ method, params }) };
};
let writer;
let others; // What follows: over WebSocket two readers, with PostgreSQL a reader and a node that stands by.
if (url === undefined) {
  console.log("No PostgreSQL: HINDCAST_SHARED does not name one. The nodes follow over WebSocket.");
  const token = crypto.randomUUID();
  writer = await start({ share: { token } });
  const follow = { url: writer.url, token };
  others = [await start({ follow }), await start({ follow })];
} else {
  console.log("The chain is in PostgreSQL.");
  const shared = { url, chain: "example" };
  writer = await start({ shared: { ...shared, role: "writer" } });
  others = [await start({ shared: { ...shared, role: "reader" } }), await start({ shared })];
}
const [reader, other] = others;
const roles = async (...asked) =>
  (await Promise.all(asked.map(({ ask }) => ask("hindcast_status")))).map((status) => status.role);
console.log("roles:", ...(await roles(writer, reader)));

// Sent to a reader, mined by the writer. The reader answers when it has the block, so it has the receipt at once.
const [from, to] = await reader.ask("eth_accounts");
const hash = await reader.ask("eth_sendTransaction", { from, to, value: "0x1" });
console.log("receipt at the reader:", (await reader.ask("eth_getTransactionReceipt", hash)).status);
const [{ action }] = await reader.ask("trace_transaction", hash);
console.log("traced by the reader:", action.callType, "of", BigInt(action.value), "wei");

// Another reader may be behind by some milliseconds: whoever asks several waits for the block.
while ((await other.ask("eth_getTransactionReceipt", hash)) === null)
  await new Promise((resolve) => setTimeout(resolve, 5));
const heads = await Promise.all([writer, reader, other].map(({ ask }) => ask("eth_getBlockByNumber", "latest", false)));
console.log("one chain:", new Set(heads.map((block) => block.hash)).size === 1);

await nodes.shift().close();
if (url === undefined) {
  const refused = await reader.ask("eth_sendTransaction", { from, to, value: "0x1" }).catch((error) => error);
  console.log("without its writer, a reader answers:", (await reader.ask("eth_getTransactionReceipt", hash)).status);
  console.log("and refuses to write, with error", refused.code);
} else {
  while ((await roles(other))[0] !== "writer") await new Promise((resolve) => setTimeout(resolve, 50));
  console.log("the node that stood by writes:", (await other.ask("evm_mine")) !== undefined);
}
for (const node of nodes) await node.close();
