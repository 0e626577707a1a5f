// Asks a node for traces of every kind of what is on its chain, and keeps the exchanges.

const METHOD_NOT_FOUND = -32601;

/** Number of a block's transactions that are requested one by one in full. */
const SAMPLE = 15;

/**
 * @param {string} url address of the node
 * @param {string} label what the names of the exchanges begin with
 * @returns {Promise<{exchanges: {name: string, request: object, response: object}[], unknown: string[]}>} `unknown`:
 *   methods that the node does not have
 */
export async function traceRequests(url, label = "own") {
  const blocks = await allBlocks(url);
  const unknown = new Set();
  const exchanges = [];
  for (const [method, list] of Object.entries(requestsOn(blocks, await rawTransactions(url, blocks)))) {
    for (const [index, params] of list.entries()) {
      const request = { jsonrpc: "2.0", id: 1, method, params };
      const response = await post(url, request);
      if (response.error?.code === METHOD_NOT_FOUND) {
        unknown.add(method);
        break;
      }
      exchanges.push({ name: `${label}-${method}-${String(index + 1).padStart(3, "0")}`, request, response });
    }
  }
  return { exchanges, unknown: [...unknown] };
}

/** Parameters by method. */
function requestsOn(blocks, raw) {
  const hashes = blocks.flatMap((block) => block.transactions.map((transaction) => transaction.hash));
  const firsts = blocks.filter((block) => block.transactions.length > 0).map((block) => block.transactions[0]);
  const sample = blocks.flatMap((block) => block.transactions.slice(0, SAMPLE));
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
    trace_call: sample.flatMap((transaction) =>
      all.map((type) => [callOf(transaction), [type], parentOf(transaction)]),
    ),
    trace_callMany: [
      ...firsts.map((transaction) => [[[callOf(transaction), ["trace", "stateDiff"]]], parentOf(transaction)]),
      ...blocks
        .filter(({ transactions }) => transactions.length > 1)
        .map(({ transactions }) => [
          transactions.slice(0, 5).map((one) => [callOf(one), all]),
          parentOf(transactions[0]),
        ]),
    ],
    // On its own block: an earlier one may have another hardfork, and ask a higher price.
    trace_rawTransaction: sample.map(({ hash, blockNumber }) => [raw.get(hash), all, blockNumber]),
    trace_get: sample.flatMap(({ hash }) => [[], ["0x0"], ["0x1", "0x0"]].map((path) => [hash, path])),
    trace_replayTransaction: sample.map((transaction) => [transaction.hash, all]),
    trace_replayBlockTransactions: blocks.slice(1).map((block) => [block.number, all]),
  };
}

/** The EIP-2718 bytes of every transaction, by hash. */
async function rawTransactions(url, blocks) {
  const raw = new Map();
  for (const { hash } of blocks.flatMap(({ transactions }) => transactions)) {
    const request = { jsonrpc: "2.0", id: 1, method: "eth_getRawTransactionByHash", params: [hash] };
    raw.set(hash, (await post(url, request)).result);
  }
  return raw;
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
