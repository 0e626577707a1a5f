/** Simulating a real block's transactions on its parent gives what the real block says, on every hardfork. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, openNode, quantity, type ServedNode, serve } from "../support/a-node.ts";
import { hasRealChain, realChain, realGenesis, whereItIs } from "./real-chain.ts";

/** Header members that follow from the execution, and from the parent. */
const MEMBERS = [
  ["parentHash", "number", "difficulty", "baseFeePerGas", "excessBlobGas", "withdrawalsRoot"],
  ["stateRoot", "receiptsRoot", "logsBloom", "gasUsed", "blobGasUsed", "requestsHash"],
].flat();
const HEAD = 54;

/** The call that a real transaction was. */
function callOf(tx: Json): Json {
  const names = ["from", "to", "gas", "value", "input", "nonce", "accessList", "authorizationList"];
  const blobs = ["maxFeePerBlobGas", "blobVersionedHashes"];
  const fees = tx.maxFeePerGas === undefined ? ["gasPrice"] : ["maxFeePerGas", "maxPriorityFeePerGas"];
  return Object.fromEntries([...names, ...blobs, ...fees].map((name) => [name, tx[name]]));
}

/** Header members that the consensus layer or the miner chose. */
function overridesOf(block: Json): Json {
  return {
    time: block.timestamp,
    gasLimit: block.gasLimit,
    feeRecipient: block.miner,
    prevRandao: block.mixHash,
    difficulty: block.difficulty,
    beaconRoot: block.parentBeaconBlockRoot,
    withdrawals: block.withdrawals,
  };
}

describe.skipIf(!hasRealChain)(`eth_simulateV1 on the chain ${whereItIs}`, () => {
  let served: ServedNode;

  beforeAll(async () => {
    // Block 2 uses 91 million gas.
    served = await serve(await openNode({ genesis: realGenesis(), limits: { callGasLimit: 100_000_000n } }));
    await served.node.importChain(realChain());
  });
  afterAll(() => served.node.close());

  it.each(Array.from({ length: HEAD }, (_, index) => index + 1))("comes to what block %i came to", async (number) => {
    const { ask } = served.plain;
    const real = await ask<Json>("eth_getBlockByNumber", quantity(number), true);
    // Uncles cannot be simulated, and their rewards are part of the state.
    if ((real.uncles as string[]).length > 0) return;
    const transactions = real.transactions as Json[];
    const block = { blockOverrides: overridesOf(real), calls: transactions.map(callOf) };
    const payload = { blockStateCalls: [block], validation: true };
    const [simulated] = await ask<Json[]>("eth_simulateV1", payload, quantity(number - 1));
    // A call with a gas price is of the legacy type, as in geth, and the type is part of its receipt.
    const differs = transactions.some(({ type }) => type === "0x1") ? "receiptsRoot" : undefined;
    const members = MEMBERS.filter((name) => name !== differs);
    const pick = (from: Json | undefined): Json => Object.fromEntries(members.map((name) => [name, from?.[name]]));
    expect(pick(simulated)).toEqual(pick(real));
  });

  it("can start from any block without being told anything", async () => {
    for (let number = 0; number <= HEAD; number++) {
      const [block] = await served.plain.ask<Json[]>("eth_simulateV1", { blockStateCalls: [{}] }, quantity(number));
      expect(block).toMatchObject({ number: quantity(number + 1), gasUsed: "0x0", calls: [] });
    }
  });
});
