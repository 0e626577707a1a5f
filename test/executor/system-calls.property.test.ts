import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  SYSTEM_ADDRESS,
  SYSTEM_CALL_GAS,
  SYSTEM_CONTRACTS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../../src/chainspec/system-contracts.ts";
import { Evm } from "../../src/executor/evm.ts";
import { shortSystemCall } from "../../src/executor/system-calls.ts";
import type { BlockContext } from "../../src/executor/types.ts";
import { type Bytes, EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { keccak256 } from "../../src/primitives/hash.ts";
import type { WorkingState } from "../../src/state/working-state.ts";
import { aBlock, aState, spec, word } from "../support/evm.ts";

const CONTRACTS = SYSTEM_CONTRACTS.map(({ address, code }) => ({ address, code, nonce: 1n }));
const QUEUES = [WITHDRAWAL_REQUESTS_ADDRESS, CONSOLIDATION_REQUESTS_ADDRESS];

interface SystemCall {
  readonly contract: Bytes;
  readonly data: Bytes;
}

function codeHashOf(contract: Bytes): Bytes {
  const code = SYSTEM_CONTRACTS.find(({ address }) => address === contract)?.code ?? EMPTY_BYTES;
  return keccak256(code);
}

async function inEvm(state: WorkingState, block: BlockContext, { contract, data }: SystemCall): Promise<Bytes> {
  const evm = Evm.open({ common: spec.common("prague"), state, block });
  state.beginTransaction();
  const message = { from: SYSTEM_ADDRESS, to: contract, value: 0n, data, gasLimit: SYSTEM_CALL_GAS };
  const result = await evm.run({ ...message, gasPrice: 0n, blobVersionedHashes: [] });
  await evm.finishTransaction();
  evm.close();
  expect(result.error).toBeUndefined();
  return result.output;
}

function inShort(state: WorkingState, block: BlockContext, { contract, data }: SystemCall): Bytes | undefined {
  state.beginTransaction();
  return shortSystemCall({ state, block, contract, codeHash: codeHashOf(contract), data });
}

const word32 = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.constant(new Uint8Array(32)),
  fc.constant(word(1n)),
);
const aTurn = fc.record({
  number: fc.oneof(fc.bigInt({ min: 1n, max: 20_000n }), fc.constantFrom(1n, 8191n, 8192n, 8193n)),
  timestamp: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 40n }), fc.constantFrom(0n, 8190n, 8191n, 8192n)),
  root: word32,
  parentHash: word32,
});

describe("a system call in short", () => {
  it("leaves the state that the contract's code leaves, and gives what it gives", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aTurn, { minLength: 1, maxLength: 8 }), async (turns) => {
        const [ours, theirs] = [aState(CONTRACTS), aState(CONTRACTS)];
        for (const { number, timestamp, root, parentHash } of turns) {
          const block = aBlock("prague", { number, timestamp });
          const calls = [
            { contract: BEACON_ROOTS_ADDRESS, data: root },
            { contract: BLOCK_HASH_HISTORY_ADDRESS, data: parentHash },
            ...QUEUES.map((contract) => ({ contract, data: EMPTY_BYTES })),
          ];
          for (const call of calls) expect(inShort(ours, block, call)).toEqual(await inEvm(theirs, block, call));
          expect(ours.computeStateRoot()).toEqual(theirs.computeStateRoot());
        }
      }),
      { numRuns: 40 },
    );
  });

  it("is left to the EVM where requests wait, or once did", () => {
    for (const slot of [0n, 1n, 2n, 3n]) {
      const state = aState(CONTRACTS.map((contract) => ({ ...contract, storage: [[slot, 1n]] as const })));
      for (const contract of QUEUES) {
        expect(inShort(state, aBlock("prague"), { contract, data: EMPTY_BYTES })).toBeUndefined();
      }
    }
  });

  it("is left to the EVM where the code is another", () => {
    const state = aState(CONTRACTS);
    const request = { state, block: aBlock("prague"), contract: BEACON_ROOTS_ADDRESS, data: word(1n) };
    expect(shortSystemCall({ ...request, codeHash: word(7n) })).toBeUndefined();
    expect(shortSystemCall({ ...request, contract: word(7n).subarray(12), codeHash: word(7n) })).toBeUndefined();
  });
});
