/** The connection to the node that served the page: requests over HTTP, heads over a WebSocket. */
import type { Connection, PageAnswer, PageRequest } from "./connection.ts";

/** Of a page that is in the root of its site. */
export const httpConnection: Connection = {
  url: `${location.origin}/`,

  async send(requests: readonly PageRequest[], signal?: AbortSignal): Promise<readonly PageAnswer[]> {
    const bodies = requests.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const response = await fetch("/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(bodies.length === 1 ? bodies[0] : bodies),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) throw new Error(`The node answered with HTTP status ${response.status}.`);
    const answers: PageAnswer[] = [];
    for (const answer of [(await response.json()) as NumberedAnswer | readonly NumberedAnswer[]].flat())
      answers[answer.id] = answer;
    return answers;
  },

  watchHeads(onHead: () => void, onEnd: () => void): void {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`);
    socket.onopen = () =>
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
    socket.onmessage = onHead;
    socket.onclose = onEnd;
  },
};

/** A batch may be answered in any order. */
type NumberedAnswer = PageAnswer & { readonly id: number };
