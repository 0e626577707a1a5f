import { describe, expect, it } from "vitest";
import { EMPTY_CODE_HASH, keccak256 } from "../../../src/primitives/hash/hash.ts";
import { applyAccountOverrides } from "../../../src/state/working/overrides.ts";
import { addressOf, aState, word } from "../../support/evm.ts";

const PLACE = addressOf(0x11);
const slot = (index: number, value: number) => ({ slot: word(BigInt(index)), value: word(BigInt(value)) });

describe("applyAccountOverrides", () => {
  it("makes the state that writing the accounts by hand would make", async () => {
    const code = Uint8Array.of(0x60, 0x00);
    const byHand = aState([{ address: PLACE, balance: 7n, nonce: 3n, code, storage: [[1n, 5n]] }]);
    const state = aState([{ address: PLACE, balance: 1n, nonce: 3n, storage: [[0n, 9n]] }]);
    await applyAccountOverrides(state, [{ address: PLACE, balance: 7n, code, state: [slot(1, 5)] }]);
    expect(state.computeStateRoot()).toEqual(byHand.computeStateRoot());
    expect(await state.getCode(keccak256(code))).toEqual(code);
  });

  it("creates an account for any member, even if it stays empty", async () => {
    const state = aState();
    await applyAccountOverrides(state, [{ address: PLACE, balance: 0n }]);
    expect(state.getAccount(PLACE)).toMatchObject({ balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH });
  });

  it("leaves an account alone for which nothing is given", async () => {
    const state = aState();
    const before = state.computeStateRoot();
    await applyAccountOverrides(state, [{ address: PLACE }, { address: PLACE, movePrecompileTo: addressOf(2) }]);
    expect(state.getAccount(PLACE)).toBeUndefined();
    expect(state.computeStateRoot()).toEqual(before);
  });

  it("applies overrides in order", async () => {
    const state = aState();
    await applyAccountOverrides(state, [
      { address: PLACE, nonce: 1n, stateDiff: [slot(0, 1), slot(1, 1)] },
      { address: PLACE, nonce: 2n, stateDiff: [slot(1, 2), slot(0, 0)] },
    ]);
    expect(state.getAccount(PLACE)).toMatchObject({ nonce: 2n });
    expect(state.getStorage(PLACE, word(0n))).toEqual(new Uint8Array(0));
    expect(state.getStorage(PLACE, word(1n))).toEqual(Uint8Array.of(2));
  });

  it("is no transaction's change", async () => {
    const state = aState();
    await applyAccountOverrides(state, [{ address: PLACE, stateDiff: [slot(0, 1)] }]);
    expect(state.transactionChanges()).toEqual([]);
  });

  it("waits at least once for every 500 slots", async () => {
    let pauses = 0;
    const stateDiff = Array.from({ length: 1_200 }, (_, index) => slot(index, index + 1));
    await applyAccountOverrides(aState(), [{ address: PLACE, stateDiff }], () => {
      pauses++;
      return undefined;
    });
    expect(pauses).toBeGreaterThanOrEqual(3);
  });
});
