// A client on a thread of its own: asks eth_blockNumber again and again until told to stop, and tells how long each
// answer took. On the node's own thread the client would wait for its own turns as well.
import http from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const { url, pauseMs } = workerData;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
const headers = { "content-type": "application/json", "content-length": body.length };

const ask = () =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const usedBefore = process.cpuUsage();
    const request = http.request(url, { method: "POST", agent, headers }, (reply) => {
      let text = "";
      reply.on("data", (chunk) => {
        text += chunk;
      });
      reply.on("end", () => {
        const { user, system } = process.cpuUsage(usedBefore);
        resolve({ elapsedMs: Math.min(performance.now() - startedAt, (user + system) / 1_000), text });
      });
    });
    request.on("error", reject);
    request.end(body);
  });

let isOver = false;
parentPort.once("message", () => {
  isOver = true;
});
const answers = [];
await ask();
parentPort.postMessage("ready");
while (!isOver) {
  answers.push(await ask());
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
agent.destroy();
parentPort.postMessage(answers);
