/** When a fork sets slots to zero that a system call overwrites, in place of fetching them. */
import { expect, it } from "vitest";
import { BEACON_ROOTS_ADDRESS, SYSTEM_CONTRACTS } from "../../src/chainspec/system-contracts.ts";
import { RemoteError } from "../../src/errors/hindcast-error.ts";
import type { BlockContext, TransactionEffects } from "../../src/evm/engine.ts";
import { clearOverwritten } from "../../src/executor/overwritten-slots.ts";
import { bytesToBigInt, equalBytes } from "../../src/primitives/bytes/bytes.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";

const known = SYSTEM_CONTRACTS.find(({ address }) => equalBytes(address, BEACON_ROOTS_ADDRESS));
const BLOCK = { number: 10n, timestamp: 8_191n + 7n } as BlockContext;
const unanswered = new RemoteError({ code: "REMOTE_UNREACHABLE", what: "No answer." });

/** The slots that are set to zero. */
async function cleared(given: { hasProofs: boolean; isListed: boolean; code?: Uint8Array; isReadable?: boolean }) {
  const { hasProofs, isListed, code = known?.code as Uint8Array, isReadable = true } = given;
  const slots: bigint[] = [];
  const state = {
    isOnFork: true,
    hasProofs,
    getAccount: () => undefined,
    getCode: () => code,
    getStorage: () => (isReadable ? new Uint8Array([1]) : Promise.reject(unanswered)),
    apply: ({ writes }: Pick<TransactionEffects, "writes">) => {
      for (const write of writes) slots.push(...write.slots.map(({ slot }) => bytesToBigInt(slot)));
    },
  };
  const account = { nonce: 1n, balance: 0n, codeHash: keccak256(code) };
  await clearOverwritten(state as never, BLOCK, { address: BEACON_ROOTS_ADDRESS, account, isListed });
  return slots;
}

it("are those of the block's time, if the code is known to overwrite them", async () => {
  expect(await cleared({ hasProofs: false, isListed: false })).toEqual([7n, 8_198n]);
});

it.each([
  ["the state root is computed from proofs", { hasProofs: true, isListed: false }],
  ["the block lists what changed", { hasProofs: false, isListed: true }],
  ["the contract has another code", { hasProofs: false, isListed: false, code: new Uint8Array([0]) }],
])("are read where %s, and set to zero only if that fails", async (_, given) => {
  expect(await cleared(given)).toEqual([]);
  expect(await cleared({ ...given, isReadable: false })).toEqual([7n, 8_198n]);
});
