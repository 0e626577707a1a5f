import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALICE, openNode, quantity, type ServedNode, serve } from "../../support/a-node.ts";
import { deploy, LOOP, send } from "../../support/contracts.ts";
import { answersDuring, LOOPS, longestWait } from "../stopwatch.ts";

/** Five times the target of 100 ms, beyond what an idle server takes beside the node. */
const BOUND_MS = 500;
/** More than a block has: some of the loops would burn 60M before anybody could ask twice. */
const GAS = 1_000_000_000n;

describe("while an eth_call runs over HTTP until its limits end it", () => {
  let served: ServedNode;

  beforeAll(async () => {
    const limits = { callGasLimit: GAS, callTimeoutMs: 1_000 };
    served = await serve(await openNode({ gasLimit: 100_000_000, limits }));
  });
  afterAll(() => served.node.close());

  it.each(Object.keys(LOOPS))("code that %s, every eth_blockNumber is answered within half a second", async (name) => {
    const { plain, node } = served;
    const call = { from: ALICE, to: await deploy(node, LOOPS[name] ?? LOOP), gas: quantity(GAS) };
    const answers = await answersDuring(plain.url, () => plain.failure("eth_call", call));
    expect(longestWait(answers), answers.map(({ elapsedMs }) => Math.round(elapsedMs)).join(" ")).toBeLessThan(
      BOUND_MS,
    );
  });
});

describe("while many short things run, every eth_blockNumber is answered within half a second", () => {
  it("of mining, tracing and importing", async () => {
    const served = await serve(await openNode());
    const { node, plain } = served;
    const mined = longestWait(await answersDuring(plain.url, () => node.mine({ blocks: 2_000 })));
    for (let count = 0; count < 500; count++) await send(node, { to: ALICE, gas: "0x5208" });
    const blocks = Buffer.concat([...node.exportChain()]);
    // Of blocks that were mined there, a node keeps what it would have to run for their traces.
    const other = await serve(await openNode());
    const imported = longestWait(await answersDuring(other.plain.url, () => other.node.importChain(blocks)));
    const traced = longestWait(await answersDuring(other.plain.url, () => other.plain.ask("trace_filter", {})));
    await Promise.all([node.close(), other.node.close()]);
    expect(Math.max(mined, traced, imported), `${[mined, traced, imported].map(Math.round)}`).toBeLessThan(BOUND_MS);
  });
});
