// A served node in a process of its own, so that its heap and its end can be watched. Started by fuzz.slow.ts with
// --expose-gc; commands come, and answers leave, as messages of the parent process.
const { createNode } = await import(new URL("../../../dist/bundle/index.js", import.meta.url).href);

/** Costs of requests are limited as far as that does not affect the tests. */
const node = await createNode({
  clock: () => 1_700_000_000,
  gasLimit: 3_000_000,
  limits: { callGasLimit: 1_000_000n, callTimeoutMs: 500, traceTimeoutMs: 2_000, minedBlocks: 8, waitTimeoutMs: 200 },
  poolLimits: { maxTransactions: 500, maxPerSender: 50 },
  maxBatchLength: 64,
});
const { port } = await node.listen({ port: 0, maxBodyBytes: 1_000_000 });

const ask = (method, ...params) => node.provider.send(method, params);

const commands = {
  /** Starts over with the blocks of a state file. */
  async restart(state) {
    await ask("anvil_reset");
    await ask("evm_setAutomine", true);
    await ask("anvil_loadState", state);
    await ask("anvil_setLoggingEnabled", false);
  },
  /** Bytes of the heap that are in use. */
  async heap() {
    for (let turn = 0; turn < 3; turn++) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return process.memoryUsage().heapUsed;
  },
};

process.on("message", async ({ id, command, argument }) => {
  try {
    process.send({ id, result: await commands[command](argument) });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});
process.send({ port });
