// A node for long-trace.bench.mjs: tells its port, and at every question what it has used.
import { createNode } from "../dist/node/create-node.js";

/** COUNT: 0 loop: 1 ADD @loop JUMP. Five steps and 18 gas a round, until the gas is gone. */
const COUNT = "0x60005b600101600256";

const node = await createNode();
await node.provider.request({ method: "hardhat_setCode", params: [process.argv[2], COUNT] });
const { port } = await node.listen({ port: 0 });
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuMs: (user + system) / 1000, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024) });
});
process.send(port);
