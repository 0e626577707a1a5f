/** A transaction whose calls pass more data than an execution may have memory is mined, imported and traced as any other. */
import { describe, expect, it } from "vitest";
import { ENGINE_NAMES, type EngineName } from "../../../src/evm/engine.ts";
import { createNode } from "../../../src/node/create-node.ts";
import { createAddress } from "../../../src/primitives/address.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { assemble, deploying, fromHex } from "../../support/assembler.ts";
import { sweep } from "../../support/seed.ts";

/** STATICCALLs of an account without code with 50,000 bytes of input, for ever. */
const ENDLESS = assemble("again: 0 0 [61c350] 0 [61beef] GAS STATICCALL POP 0 JUMP");
const OPTIONS = { timestamp: 1_700_000_000, limits: { executionMemory: 2 ** 24 } };

async function aNode(engine: EngineName) {
  const node = await createNode({ engine, ...OPTIONS });
  const [from] = await node.provider.request({ method: "eth_accounts" });
  const to = encodeData(createAddress(fromHex(from as Hex), 0n));
  const call = { from: from as Hex, to, gas: encodeQuantity(130_000n) };
  return { node, call };
}

describe.each(sweep(ENGINE_NAMES, (engine) => engine === "wasm"))("calls with much data (%s)", (engine) => {
  it("are mined, imported and traced", async () => {
    const { node: miner, call } = await aNode(engine);
    await using node = miner;
    const { provider } = node;
    const data = encodeData(deploying(ENDLESS));
    await provider.request({ method: "eth_sendTransaction", params: [{ from: call.from, data }] });
    const hash = await provider.request({ method: "eth_sendTransaction", params: [call] });
    const receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    expect(receipt).toMatchObject({ status: "0x0", gasUsed: call.gas });

    await using other = await createNode({ engine, ...OPTIONS, mining: "manual" });
    for (const block of node.exportChain()) await other.importBlock(block);
    expect(await other.provider.request({ method: "eth_getTransactionReceipt", params: [hash] })).toEqual(receipt);

    const top = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } };
    expect(await provider.request({ method: "debug_traceCall", params: [call, "latest", top] })).toMatchObject({
      gasUsed: call.gas,
      error: "out of gas",
    });
    const calls = (await node.trace.transaction(fromHex(hash)))?.slice(1) ?? [];
    expect(calls.length).toBeGreaterThan(400);
    for (const { action } of calls) expect(action).toMatchObject({ input: { length: 50_000 } });
  });
});
