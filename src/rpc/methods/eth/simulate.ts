/** eth_*: blocks and bundles that nobody mines. */
import { LATEST } from "../../../chain/archive/block-id.ts";
import { encodeSimulatedBlock } from "../../encode/blocks/simulate.ts";
import { encodeBundle } from "../../encode/transactions/simulated-calls.ts";
import { method, optional, required } from "../../method.ts";
import { arrayOf, ref } from "../../openrpc/json-schema.ts";
import { bundle, simulatePayload } from "../../schema/call-sequences/simulate.ts";
import { blockId } from "../../schema/primitives.ts";

export const simulateV1 = method({
  name: "eth_simulateV1",
  summary: "Runs blocks of calls on top of a block, with overrides, and gives the blocks.",
  params: [required("payload", simulatePayload), optional("block", blockId, LATEST)],
  result: arrayOf(ref("SimulatedBlock")),
  run: async ({ simulations }, [{ returnFullTransactions, ...payload }, id], { signal }) => ({
    blocks: await simulations.simulate({ ...payload, id, signal }),
    returnFullTransactions,
  }),
  encode: ({ blocks, returnFullTransactions }) =>
    blocks.map((block) => encodeSimulatedBlock(block, returnFullTransactions)),
});

export const callBundle = method({
  name: "eth_callBundle",
  summary: "Runs signed transactions one on top of the other in a block to come, and says what its coinbase earns.",
  params: [required("bundle", bundle)],
  run: ({ bundles }, [request], { signal }) => bundles.call({ ...request, signal }),
  encode: encodeBundle,
});
