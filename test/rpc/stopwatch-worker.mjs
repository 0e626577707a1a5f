// A client on a thread of its own: asks eth_blockNumber again and again until told to stop, and tells how long each
// answer took, and how long one of an idle server in a thread beside it. On the node's own thread the client would wait
// for its own turns as well.
import { readFileSync } from "node:fs";
import http from "node:http";
import { parentPort, Worker, workerData } from "node:worker_threads";

const { url, pauseMs, pid } = workerData;

/** Milliseconds that the node's main thread, which serves requests, has had the processor; in this process: all threads. */
function processorMs() {
  if (pid === undefined) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  try {
    // The kernel's Documentation/scheduler/sched-stats: the first member is time on the processor in nanoseconds.
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ", 1)[0]) / 1e6;
  } catch {
    // Another system than Linux: only the time that passed is known.
    return performance.now();
  }
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
const headers = { "content-type": "application/json", "content-length": body.length };

const IDLE_SERVER = `
  const { createServer } = require("node:http");
  const server = createServer((request, response) => request.resume().on("end", () => response.end("{}")));
  server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port));
`;
const control = new Worker(IDLE_SERVER, { eval: true });
const controlUrl = await new Promise((resolve) =>
  control.once("message", (port) => resolve(`http://127.0.0.1:${port}/`)),
);

const ask = (url) =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const usedBefore = processorMs();
    const request = http.request(url, { method: "POST", agent, headers }, (reply) => {
      let text = "";
      reply.on("data", (chunk) => {
        text += chunk;
      });
      reply.on("end", () => {
        const passedMs = performance.now() - startedAt;
        resolve({ passedMs, elapsedMs: Math.min(passedMs, processorMs() - usedBefore), text });
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
await ask(url);
await ask(controlUrl);
parentPort.postMessage("ready");
// On a busy machine the work may have ended before two answers came.
while (!isOver || answers.length < 2) {
  const at = performance.timeOrigin + performance.now();
  const { elapsedMs, text } = await ask(url);
  const { passedMs: controlMs } = await ask(controlUrl);
  answers.push({ at, elapsedMs, controlMs, text });
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
agent.destroy();
await control.terminate();
parentPort.postMessage(answers);
