// One kept-alive connection to a node, for measuring what a client waits for.
import { Agent, request } from "node:http";

/**
 * Serves the node on a free port.
 *
 * @returns `post(method, ...params)`, which resolves with the answer's text, and `close()`
 */
export async function keepAlive(node) {
  const server = await node.listen({ port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (method, ...params) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const outgoing = request({ port: server.port, host: "127.0.0.1", method: "POST", agent, headers }, (reply) => {
        const chunks = [];
        reply.on("data", (chunk) => chunks.push(chunk));
        reply.on("end", () => resolve(Buffer.concat(chunks).toString("latin1")));
        reply.on("error", reject);
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  const close = async () => {
    agent.destroy();
    await server.close();
  };
  return { post, close };
}
