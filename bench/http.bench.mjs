// Round trips over HTTP beside those of a bare `node:http` server, which reads the body and answers a constant. Each server
// is a process of its own with one kept-alive connection; their requests alternate, so that a busy machine slows all alike.
import { fileURLToPath } from "node:url";
import { summary } from "./measure.mjs";
import { callRows } from "./peers/call-rows.mjs";
import { furnish } from "./peers/chain.mjs";
import { startCommand, startNode } from "./peers/nodes.mjs";

export const name = "http";

const ROUNDS = 8_000;
/** V8 compiles both servers in these. */
const WARM_UP = 3_000;
const FIRST = 200;
const BARE_SERVER = fileURLToPath(new URL("./bare-server.mjs", import.meta.url));
const BARE = "bare node:http server";
const AIM_RATIO = 1.15;
const AIM_EXTRA_US = 30;

export async function rows() {
  const bare = await startCommand(BARE, (port) => [process.execPath, [BARE_SERVER, port]]);
  const started = await startNode("hindcast");
  try {
    const node = await furnish(started);
    const small = callRows.find(({ label }) => label === "small call").request(node);
    const times = await measureInTurn({
      [BARE]: () => bare.send(bodyOf("eth_chainId")),
      eth_chainId: () => node.send(bodyOf("eth_chainId")),
      "small call": () => node.send(bodyOf(...small)),
      trace_transaction: () => node.send(bodyOf("trace_transaction", node.swap)),
    });
    const warm = report(times, (list) => list.slice(WARM_UP));
    const first = Object.entries(report(times, (list) => list.slice(0, FIRST)));
    return { ...warm, ...Object.fromEntries(first.map(([label, row]) => [`${label}, first ${FIRST} rounds`, row])) };
  } finally {
    await Promise.all([bare.stop(), started.stop()]);
  }
}

function bodyOf(method, ...params) {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

/** Milliseconds of each request in each round. Another one comes first in each round. */
async function measureInTurn(requests) {
  const entries = Object.entries(requests);
  const times = Object.fromEntries(entries.map(([label]) => [label, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (let index = 0; index < entries.length; index++) {
      const [label, send] = entries[(round + index) % entries.length];
      const start = performance.now();
      await send();
      times[label].push(performance.now() - start);
    }
  }
  return times;
}

/** A row for each request, with what it takes in relation to the bare server. */
function report(times, partOf) {
  const bare = summary(partOf(times[BARE])).medianMs;
  const rowOf = ([label, list]) => {
    const row = summary(partOf(list));
    const ratio = `${(row.medianMs / bare).toFixed(2)} times bare`;
    const extra = `${((row.medianMs - bare) * 1000).toFixed(1)} µs above bare`;
    const note =
      label === "eth_chainId" ? `${ratio} (aim ${AIM_RATIO}), ${extra}` : `${extra} (aim ${AIM_EXTRA_US} µs), ${ratio}`;
    return [label, { ...row, unit: "µs", note: label === BARE ? undefined : note }];
  };
  return Object.fromEntries(Object.entries(times).map(rowOf));
}
