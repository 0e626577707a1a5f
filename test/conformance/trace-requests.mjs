// Asks a node that holds the chain of rpc-compat for traces of every kind, and keeps the exchanges.

const METHOD_NOT_FOUND = -32601;

/**
 * @param {string} url address of the node
 * @returns {Promise<{exchanges: {name: string, request: object, response: object}[], unknown: string[]}>} `unknown`:
 *   methods that the node does not have
 */
export async function traceRequests(url) {
  const blocks = await allBlocks(url);
  const unknown = new Set();
  const exchanges = [];
  for (const [method, list] of Object.entries(requestsOn(blocks))) {
    for (const [index, params] of list.entries()) {
      const request = { jsonrpc: "2.0", id: 1, method, params };
      const response = await post(url, request);
      if (response.error?.code === METHOD_NOT_FOUND) {
        unknown.add(method);
        break;
      }
      exchanges.push({ name: `own-${method}-${String(index + 1).padStart(3, "0")}`, request, response });
    }
  }
  return { exchanges, unknown: [...unknown] };
}

/** Parameters by method. */
function requestsOn(blocks) {
  const hashes = blocks.flatMap((block) => block.transactions.map((transaction) => transaction.hash));
  const firsts = blocks.filter((block) => block.transactions.length > 0).map((block) => block.transactions[0]);
  const head = blocks.at(-1).number;
  const callOf = ({ from, to, input, value, gas }) => ({
    from,
    ...(to === null ? {} : { to }),
    data: input,
    value,
    gas,
  });
  const parentOf = (transaction) => `0x${(Number(transaction.blockNumber) - 1).toString(16)}`;
  const all = ["trace", "vmTrace", "stateDiff"];
  return {
    trace_block: blocks.map((block) => [block.number]),
    trace_transaction: hashes.map((hash) => [hash]),
    trace_filter: [
      [{ fromBlock: "0x0", toBlock: head }],
      [{ fromBlock: "0x1", toBlock: "0x5", after: 3, count: 10 }],
      [{ fromAddress: [firsts[0].from], count: 20 }],
      [
        {
          toAddress: firsts
            .map(({ to }) => to)
            .filter((to) => to !== null)
            .slice(0, 3),
        },
      ],
      [{ fromBlock: "latest", toBlock: "latest" }],
    ],
    trace_call: firsts.flatMap((transaction) =>
      all.map((type) => [callOf(transaction), [type], parentOf(transaction)]),
    ),
    trace_callMany: [
      ...firsts.map((transaction) => [[[callOf(transaction), ["trace", "stateDiff"]]], parentOf(transaction)]),
      [blocks[2].transactions.slice(0, 5).map((transaction) => [callOf(transaction), ["trace"]]), "0x1"],
    ],
    trace_get: firsts.map((transaction) => [transaction.hash, ["0x0"]]),
    trace_replayTransaction: firsts.map((transaction) => [transaction.hash, all]),
    trace_replayBlockTransactions: blocks.slice(1).map((block) => [block.number, all]),
  };
}

async function allBlocks(url) {
  const { result: head } = await post(url, { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] });
  const blocks = [];
  for (let number = 0; number <= Number(head); number++) {
    const params = [`0x${number.toString(16)}`, true];
    const { result } = await post(url, { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params });
    blocks.push(result);
  }
  return blocks;
}

async function post(url, request) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  return await response.json();
}
