/** Two chains with the same random transactions and other code: the replay of one does what the other has done. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EngineName } from "../../../../src/evm/engine.ts";
import { createNode } from "../../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { type Bytes, bytesKey } from "../../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { addressText, NOW, quantity } from "../../../support/a-node.ts";
import { deploying } from "../../../support/assembler.ts";
import { send } from "../../../support/contracts.ts";
import { TARGET } from "../../../support/evm.ts";
import { OTHERS, programs } from "../../../support/programs.ts";
import { runs, sweep } from "../../../support/seed.ts";

const BLOCKS = 4;
const CALLS = 4;
const SENDER = addressText(0x77);
const CONTRACTS: readonly Bytes[] = [TARGET, ...OTHERS];

/**
 * BLOCKHASH, PREVRANDAO and BASEFEE become ISZERO and NUMBER: a replay has those of the recorded blocks, which a chain with
 * another history does not have.
 */
const REPLACED: ReadonlyMap<number, number> = new Map([
  [0x40, 0x15],
  [0x44, 0x43],
  [0x48, 0x43],
]);
const replaced = (code: Bytes): Bytes => code.map((byte) => REPLACED.get(byte) ?? byte);

interface History {
  readonly codes: readonly Bytes[];
  /** The init code of each transaction that creates; a call of one of the contracts for an even number. */
  readonly creations: readonly Bytes[];
}

async function chainOf(engine: EngineName, hardfork: string, { codes, creations }: History): Promise<HindcastNode> {
  const options = { engine, hardfork, mining: "manual", clock: () => NOW, autoImpersonate: true } as const;
  const chain = await createNode(options as never);
  for (const [index, address] of CONTRACTS.entries()) {
    await chain.setCode(address, codes[index] as Bytes);
    await chain.setBalance(address, 1000n);
  }
  await chain.setBalance(SENDER, 10n ** 22n);
  for (let block = 0; block < BLOCKS; block++) {
    for (let call = 0; call < CALLS; call++) {
      const number = block * CALLS + call;
      const to = encodeData(CONTRACTS[number % CONTRACTS.length] as Bytes);
      const made = encodeData(deploying(creations[number] as Bytes));
      const content = number % 3 === 0 ? { data: made } : { to, data: quantity(number + 16), value: "0x1" };
      await send(chain, { from: SENDER, gas: "0x7a120", gasPrice: "0x2540be400", ...content });
    }
    if (hardfork === "osaka") {
      await chain.provider.request({ method: "hardhat_setNextBlockBaseFeePerGas", params: ["0x7"] });
    }
    await chain.mine();
  }
  return chain;
}

/** Logs and gas of each transaction; receipts before Byzantium have no status. */
function resultsOf(chain: HindcastNode) {
  return Array.from({ length: BLOCKS }, (_, index) => {
    const block = chain.getBlock(BigInt(index + 1));
    const receipts = block === undefined ? [] : chain.getReceipts(block);
    return receipts.map(({ cumulativeGasUsed, logs }, txIndex) => ({
      gasUsed: cumulativeGasUsed - (receipts[txIndex - 1]?.cumulativeGasUsed ?? 0n),
      logs: logs.map(({ address, topics, data }) => [address, ...topics, data].map(bytesKey)),
    }));
  });
}

const CHAINS: readonly (readonly [EngineName, string])[] = [
  ["wasm", "berlin"],
  ["wasm", "osaka"],
  ["ethereumjs", "berlin"],
  ["ethereumjs", "osaka"],
  ["wasm", "homestead"],
];

describe.each(sweep(CHAINS, (_, index) => index < 3))("a replay with other code (%s, %s)", (engine, hardfork) => {
  it("does what a chain has done that had this code from the start", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const all = fc.sample(programs, { seed, numRuns: CONTRACTS.length + 1 + BLOCKS * CALLS }).map(replaced);
        const [other, ...codes] = all.splice(0, CONTRACTS.length + 1) as [Bytes, ...Bytes[]];
        const chain = await chainOf(engine, hardfork, { codes, creations: all });
        const changed = await chainOf(engine, hardfork, { codes: [other, ...codes.slice(1)], creations: all });
        const results = resultsOf(chain).map((block) =>
          block.map(({ gasUsed, logs }) => ({ gasUsed, logs: [...logs] })),
        );
        const code = { [encodeData(TARGET)]: other };
        for await (const { number, transactions } of chain.eachReplayedBlock({ blocks: [1n, BigInt(BLOCKS)], code })) {
          for (const { txIndex, runs: pair } of transactions) {
            const { gasUsed, logs } = pair[1] ?? { gasUsed: 0n, logs: [] };
            (results[Number(number) - 1] ?? [])[txIndex ?? 0] = {
              gasUsed,
              logs: logs.map(({ address, topics, data }) => [address, ...topics, data].map(bytesKey)),
            };
          }
        }
        expect(results).toEqual(resultsOf(changed));
        await chain.close();
        await changed.close();
      }),
      { numRuns: runs(engine === "wasm" ? 40 : 20) },
    );
  });
});
