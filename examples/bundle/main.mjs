import { createNode } from "hindcast";

const node = await createNode();
const [from, to] = await node.provider.request({ method: "eth_accounts" });
const pays = (from, to, value) => [{ from, to, value }, ["trace", "stateDiff"]];
const bundle = [pays(from, to, "0xde0b6b3a7640000"), pays(to, from, "0x1")];
const results = await node.provider.request({ method: "trace_callMany", params: [bundle, "latest"] });
for (const { trace, stateDiff } of results) console.log(trace.length, stateDiff[to].balance["*"]);
await node.close();
