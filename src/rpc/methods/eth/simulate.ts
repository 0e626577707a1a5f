/** eth_*: blocks and bundles that nobody mines. */
import { LATEST } from "../../../chain/blocks/block-id.ts";
import { encodeSimulatedBlock, simulatedBlockSchema } from "../../encode/blocks/simulate.ts";
import { bundleResultSchema, encodeBundle } from "../../encode/transactions/simulated-calls.ts";
import { CALLING, NO_STATE, numbered, REJECTIONS, STOPPED } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { arrayOf } from "../../openrpc/json-schema.ts";
import { blockId } from "../../schema/primitives.ts";
import { bundle, simulatePayload } from "../../schema/simulate.ts";
import { EXAMPLE } from "../example-chain.ts";

export const simulateV1 = method({
  name: "eth_simulateV1",
  summary: "Runs blocks of calls on top of a block, with overrides, and gives the blocks.",
  params: [required("payload", simulatePayload), optional("block", blockId, LATEST)],
  result: arrayOf(simulatedBlockSchema),
  errors: [
    CALLING,
    "SIMULATED_BLOCK_ORDER",
    "SIMULATED_TIME_ORDER",
    "SIMULATED_BLOCK_FULL",
    "SIMULATION_TOO_LARGE",
    numbered(-32016, "EXECUTION_TIMEOUT"),
    numbered(-38010, "NONCE_TOO_LOW"),
    numbered(-38011, "NONCE_TOO_HIGH"),
    numbered(-38012, "FEE_CAP_BELOW_BASE_FEE"),
    numbered(-38013, "INTRINSIC_GAS_TOO_LOW", "FLOOR_GAS_TOO_LOW"),
    numbered(-38014, "INSUFFICIENT_FUNDS"),
    numbered(-38025, "INIT_CODE_TOO_LARGE"),
    numbered(-32602, "TIP_ABOVE_FEE_CAP"),
  ],
  example: { params: [{ blockStateCalls: [{ calls: [EXAMPLE.transfer] }] }, "latest"] },
  run: async ({ simulations }, [{ returnFullTransactions, ...payload }, id], { signal }) => ({
    blocks: await simulations.simulate({ id, signal, ...payload }),
    returnFullTransactions,
  }),
  encode: ({ blocks, returnFullTransactions }) =>
    blocks.map((block) => encodeSimulatedBlock(block, returnFullTransactions)),
});

export const callBundle = method({
  name: "eth_callBundle",
  summary: "Runs signed transactions in sequence in a future block. Answers what its coinbase earns.",
  params: [required("bundle", bundle)],
  result: bundleResultSchema,
  errors: [NO_STATE, STOPPED, REJECTIONS, "UNDECODABLE_TRANSACTION", "TOO_MANY_ITEMS"],
  example: { params: [{ txs: [EXAMPLE.rawTransaction], blockNumber: "0x2", stateBlockNumber: "0x1" }] },
  run: ({ bundles }, [request], { signal }) => bundles.call({ ...request, signal }),
  encode: encodeBundle,
});
