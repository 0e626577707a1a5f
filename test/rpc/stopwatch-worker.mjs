// A client on a thread of its own: asks eth_blockNumber again and again until told to stop, and tells how long each
// answer took. On the node's own thread the client would wait for its own turns as well.
import { readFileSync } from "node:fs";
import http from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const { url, pauseMs, pid } = workerData;

/** Milliseconds that the node's process has had the processor. */
function processorMs() {
  if (pid === undefined) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  try {
    // proc_pid_stat(5): the 14th and 15th member, in hundredths of a second; the name before them may hold spaces.
    const members = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return (Number(members[11]) + Number(members[12])) * 10;
  } catch {
    // Another system than Linux: only the time that passed is known.
    return performance.now();
  }
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
const headers = { "content-type": "application/json", "content-length": body.length };

const ask = () =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const usedBefore = processorMs();
    const request = http.request(url, { method: "POST", agent, headers }, (reply) => {
      let text = "";
      reply.on("data", (chunk) => {
        text += chunk;
      });
      reply.on("end", () => {
        resolve({ elapsedMs: Math.min(performance.now() - startedAt, processorMs() - usedBefore), text });
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
