// Programs that run in Node and in a browser. What they give can be cloned, and is the same.

const quantity = (value) => `0x${value.toString(16)}`;

/** Deploys, calls, traces and mines, and asks for what it made. */
export async function everyday(createNode, { calls, counter, echo }) {
  const node = await createNode({ clock: () => 1_700_000_000 });
  const ask = (method, ...params) => node.provider.request({ method, params });
  try {
    const [from] = await ask("eth_accounts");
    const target = `0x${"00".repeat(18)}c0de`;
    const other = `0x${"00".repeat(18)}ec40`;
    await ask("hardhat_setCode", target, counter);
    await ask("hardhat_setCode", other, echo);
    const hash = await ask("eth_sendTransaction", { from, to: target });
    const heads = [];
    node.provider.on("message", ({ data }) => heads.push(data.result.number));
    await ask("eth_subscribe", "newHeads");
    await ask("hardhat_mine", quantity(300));
    const script =
      "{count: 0, step: function() { this.count++ }, fault: function() {}, result: function() { return this.count }}";
    const precompiled = [];
    for (const [address, data] of calls) {
      const to = `0x${address.toString(16).padStart(40, "0")}`;
      const answer = ask("eth_call", { to, data, gas: quantity(20_000_000) }, "latest");
      precompiled.push([address, await answer.catch(({ code, message }) => `${code} ${message}`)]);
    }
    const kinds = ["trace", "stateDiff", "vmTrace"];
    return {
      precompiled,
      heads: heads.length,
      receipt: await ask("eth_getTransactionReceipt", hash),
      block: await ask("eth_getBlockByNumber", "latest", true),
      trace: await ask("trace_transaction", hash),
      calls: await ask(
        "trace_callMany",
        [
          [{ from, to: target }, kinds],
          [{ from, to: other, data: "0x1234" }, kinds],
        ],
        "latest",
      ),
      structLogs: await ask("debug_traceTransaction", hash),
      frames: await ask("debug_traceTransaction", hash, { tracer: "callTracer" }),
      scripted: await ask("debug_traceTransaction", hash, { tracer: script }),
      proof: await ask("eth_getProof", target, ["0x0"], "latest"),
      logs: await ask("eth_getLogs", { fromBlock: "0x0", toBlock: "latest" }),
      mistake: await ask("eth_call", { to: target, gas: "0x0" }, "0x1000").catch(({ code, message }) => ({
        code,
        message,
      })),
      dumped: await stateAgain(createNode, node),
    };
  } finally {
    await node.close();
  }
}

/** The head of another node that loads the state of one. */
async function stateAgain(createNode, node) {
  const bytes = await node.dumpState();
  const again = await createNode({ clock: () => 1_700_000_000 });
  try {
    await again.loadState(bytes);
    return await again.provider.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
  } finally {
    await again.close();
  }
}

/** Sends signed transactions of all types, one of them with blobs whose proofs are verified, and gives their receipts. */
export async function transactions(createNode, { signed }) {
  const node = await createNode({ clock: () => 1_700_000_000 });
  const ask = (method, ...params) => node.provider.request({ method, params });
  try {
    const hashes = [];
    for (const bytes of signed) hashes.push(await ask("eth_sendRawTransaction", bytes));
    const wrong = signed.at(-1).replace(/.{8}$/, "00000000");
    const refused = await ask("eth_sendRawTransaction", wrong).catch(({ code }) => code);
    return { refused, receipts: await Promise.all(hashes.map((hash) => ask("eth_getTransactionReceipt", hash))) };
  } finally {
    await node.close();
  }
}

/** A chain that is forked by way of its provider, with each value proved. */
export async function forked(createNode, { counter }) {
  const upstream = await createNode({ clock: () => 1_700_000_000 });
  const target = `0x${"00".repeat(18)}c0de`;
  try {
    await upstream.provider.request({ method: "hardhat_setCode", params: [target, counter] });
    await upstream.provider.request({ method: "hardhat_mine", params: ["0x3"] });
    const fork = await createNode({ fork: { provider: upstream.provider, verify: true, cache: false } });
    try {
      const [from] = await fork.provider.request({ method: "eth_accounts", params: [] });
      await fork.provider.request({ method: "eth_sendTransaction", params: [{ from, to: target }] });
      return await fork.provider.request({ method: "eth_call", params: [{ from, to: target }, "latest"] });
    } finally {
      await fork.close();
    }
  } finally {
    await upstream.close();
  }
}
