/** A transaction with more logs than a function takes arguments, which is some 120,000. */
import { expect, it } from "vitest";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, aServedNode, type Json, quantity } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";

const LOGS = 130_000;
const LOGGER = addressText(0xaa);
const CALLER = addressText(0xbb);

it("a filter, eth_simulateV1, callTracer and getLogs give 130,000 logs of a call in a transaction", async () => {
  const { plain } = await aServedNode({
    hardfork: "prague",
    gasLimit: 200_000_000n,
    limits: { callGasLimit: 200_000_000n },
  });
  await plain.ask("anvil_setCode", LOGGER, encodeData(assemble(`${LOGS} loop: 0 0 LOG0 1 SWAP1 SUB DUP1 @loop JUMPI`)));
  await plain.ask("anvil_setCode", CALLER, encodeData(assemble(`0 0 0 0 0 ${LOGGER} GAS CALL`)));
  const call = { from: ALICE, to: CALLER, gas: quantity(150_000_000) };
  const filter = await plain.ask("eth_newFilter", {});
  const [block] = await plain.ask<{ calls: { logs: Json[] }[] }[]>(
    "eth_simulateV1",
    { blockStateCalls: [{ calls: [call] }] },
    "latest",
  );
  expect(block?.calls[0]?.logs).toHaveLength(LOGS);
  await plain.ask("eth_sendTransaction", call);
  expect(await plain.ask("eth_getFilterChanges", filter)).toHaveLength(LOGS);
  expect(await plain.ask("eth_getLogs", {})).toHaveLength(LOGS);
  const [traced] = await plain.ask<{ result: { calls: { logs: Json[] }[] } }[]>("debug_traceBlockByNumber", "latest", {
    tracer: "callTracer",
    tracerConfig: { withLog: true },
  });
  expect(traced?.result.calls[0]?.logs).toHaveLength(LOGS);
});
