/** Traces of every transaction of the real chain agree with each other, with its receipts and with its states. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, openBackend } from "../../src/node/backend.ts";
import { HindcastNode } from "../../src/node/hindcast-node.ts";
import { checkBlock, checkTransaction } from "../tracer/chain-properties.ts";
import { hasRealChain, realChain, realGenesis, whereItIs } from "./real-chain.ts";

describe.skipIf(!hasRealChain)(`the traces of the real chain ${whereItIs}`, () => {
  let backend: Backend;
  let node: HindcastNode;

  beforeAll(async () => {
    const options = { genesis: realGenesis() };
    backend = await openBackend(options);
    node = new HindcastNode(backend, options);
    await node.importChain(realChain());
  });
  afterAll(() => node.close());

  it("agree in every block", async () => {
    let transactions = 0;
    for (let number = 1n; number <= backend.chain.head.header.number; number++) {
      const block = backend.chain.getStoredBlock(number);
      if (block === undefined) throw new Error(`no block ${number}`);
      await checkBlock(backend.chain, block, async (traced) => {
        transactions++;
        await checkTransaction(traced);
      });
    }
    expect(transactions).toBeGreaterThan(100);
  });
});
