// eth_call, in process and over HTTP.
import { aChainWithLogs, word } from "./chains.mjs";
import { measure } from "./measure.mjs";

export const name = "eth_call";

export async function rows() {
  const { node, ask, to, worker } = await aChainWithLogs({ blocks: 5, every: 2 });
  const server = await node.listen({ port: 0 });
  const call = { to: worker, data: `0x${word(7)}${word(8)}` };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [call, "latest"] });
  const post = (text) =>
    fetch(server.url, { method: "POST", headers: { "content-type": "application/json" }, body: text }).then((r) =>
      r.text(),
    );
  const result = {
    "no code": await measure(() => ask("eth_call", { to }, "latest"), { runs: 300, warmUp: 50 }),
    "SSTORE, precompile, LOG": await measure(() => ask("eth_call", call, "latest"), { runs: 300, warmUp: 50 }),
    "the same over HTTP": await measure(() => post(body), { runs: 300, warmUp: 50 }),
    "eth_blockNumber over HTTP": await measure(
      () => post('{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'),
      { runs: 300, warmUp: 50 },
    ),
  };
  await node.close();
  return result;
}
