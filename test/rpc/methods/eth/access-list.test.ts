/** eth_createAccessList, with gas worked out by hand. */
import { describe, expect, it } from "vitest";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, aServedNode, BOB, NOBODY, wordText } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";

const PLACE = addressText(0x11);
const OTHER = addressText(0x22);
const THIRD = addressText(0x33);

const code = (program: string): { code: string } => ({ code: encodeData(assemble(program)) });

async function created(overrides: object, call: object = {}, hardfork = "osaka"): Promise<Record<string, unknown>> {
  const { plain } = await aServedNode({ hardfork });
  return plain.ask("eth_createAccessList", { from: ALICE, to: PLACE, ...call }, "latest", overrides);
}

describe("eth_createAccessList", () => {
  it("lists nothing for a plain transfer, which costs 21000", async () => {
    expect(await created({}, { value: "0xa" })).toEqual({ accessList: [], gasUsed: "0x5208" });
  });

  it("lists slots that are read or written, and the recipient for their sake", async () => {
    // 21000 + list 2400 + 2 * 1900 + 2 PUSH (3) SLOAD (100) POP (2) + PUSH PUSH SSTORE: 6 + 20000 for a warm new slot.
    const answer = await created({ [PLACE]: code("7 SLOAD POP 1 8 SSTORE STOP") });
    expect(answer.accessList).toEqual([{ address: PLACE, storageKeys: [wordText(7), wordText(8)] }]);
    expect(Number(answer.gasUsed)).toBe(21_000 + 2_400 + 2 * 1_900 + (3 + 100 + 2) + (6 + 20_000));
  });

  it.each([
    ["BALANCE", `${OTHER} BALANCE POP`],
    ["EXTCODESIZE", `${OTHER} EXTCODESIZE POP`],
    ["EXTCODEHASH", `${OTHER} EXTCODEHASH POP`],
    ["EXTCODECOPY", `0 0 0 ${OTHER} EXTCODECOPY`],
    ["CALL", `0 0 0 0 0 ${OTHER} GAS CALL`],
    ["CALLCODE", `0 0 0 0 0 ${OTHER} GAS CALLCODE`],
    ["DELEGATECALL", `0 0 0 0 ${OTHER} GAS DELEGATECALL`],
    ["STATICCALL", `0 0 0 0 ${OTHER} GAS STATICCALL`],
    ["SELFDESTRUCT", `${OTHER} SELFDESTRUCT`],
  ])("lists the account that %s looks at", async (_, program) => {
    expect((await created({ [PLACE]: code(program) })).accessList).toEqual([{ address: OTHER, storageKeys: [] }]);
  });

  it("lists what there was no gas left to look at, since the list makes it cheaper", async () => {
    // 150 gas beside the list: enough for a warm account, where 2,550 without a list are not enough for a cold one.
    const account = await created({ [PLACE]: code(`${OTHER} BALANCE POP`) }, { gas: `0x${(23_550).toString(16)}` });
    expect(account).toEqual({
      accessList: [{ address: OTHER, storageKeys: [] }],
      gasUsed: `0x${(21_000 + 2_400 + 3 + 100 + 2).toString(16)}`,
    });
    const overrides = { [PLACE]: code(`0 0 0 0 ${OTHER} 1000 STATICCALL`), [OTHER]: code("7 SLOAD POP") };
    expect((await created(overrides)).accessList).toEqual([{ address: OTHER, storageKeys: [wordText(7)] }]);
  });

  it("leaves out sender, recipient and precompiles, which are warm anyway", async () => {
    const program = [ALICE, PLACE, `0x${"00".repeat(19)}04`, OTHER]
      .map((address) => `${address} BALANCE POP`)
      .join(" ");
    expect((await created({ [PLACE]: code(program) })).accessList).toEqual([{ address: OTHER, storageKeys: [] }]);
  });

  it("lists slots under the account whose storage it is, not whose code runs", async () => {
    const overrides = { [PLACE]: code(`0 0 0 0 ${OTHER} GAS DELEGATECALL`), [OTHER]: code("5 SLOAD POP STOP") };
    expect((await created(overrides)).accessList).toEqual([
      { address: OTHER, storageKeys: [] },
      { address: PLACE, storageKeys: [wordText(5)] },
    ]);
  });

  it("looks again until the list no longer changes", async () => {
    // Reads slot 0; only when that was warm (cheap) does it look at OTHER, and when that was warm at THIRD.
    const cheap = (look: string, label: string): string =>
      `GAS ${look} POP GAS SWAP1 SUB 1000 GT @${label} JUMPI STOP ${label}:`;
    const program = `${cheap("0 SLOAD", "one")} ${cheap(`${OTHER} BALANCE`, "two")} ${THIRD} BALANCE STOP`;
    expect((await created({ [PLACE]: code(program) })).accessList).toEqual([
      { address: PLACE, storageKeys: [wordText(0)] },
      { address: OTHER, storageKeys: [] },
      { address: THIRD, storageKeys: [] },
    ]);
  });

  it("starts from the list that the call brings", async () => {
    const given = [{ address: THIRD, storageKeys: [wordText(1)] }];
    const answer = await created({ [PLACE]: code(`${OTHER} BALANCE`) }, { accessList: given });
    expect(answer.accessList).toEqual([...given, { address: OTHER, storageKeys: [] }]);
  });

  it("gives the list of a call that reverts, and says so", async () => {
    const answer = await created({ [PLACE]: code("3 SLOAD 0 0 REVERT") });
    expect(answer).toMatchObject({ error: "execution reverted", accessList: [{ address: PLACE }] });
  });

  it("says in geth's words why a call failed otherwise", async () => {
    expect((await created({ [PLACE]: code("ADD") })).error).toBe("stack underflow (0 <=> 2)");
    expect((await created({ [PLACE]: code("INVALID") }, { gas: "0x10000" })).error).toBe("invalid opcode: INVALID");
  });

  it("leaves out the contract that a creation makes", async () => {
    const { plain } = await aServedNode();
    const input = encodeData(assemble("1 0 SSTORE ADDRESS BALANCE STOP"));
    const answer = await plain.ask<{ accessList: unknown[] }>("eth_createAccessList", { from: BOB, input });
    const { getCreateAddress } = await import("ethers");
    const made = getCreateAddress({ from: BOB, nonce: 0 }).toLowerCase();
    expect(answer.accessList).toEqual([{ address: made, storageKeys: [wordText(0)] }]);
  });

  it("needs no funds when no price is named", async () => {
    expect((await created({}, { from: NOBODY })).gasUsed).toBe("0x5208");
  });

  it("refuses a call that cannot start", async () => {
    const { plain } = await aServedNode();
    const failure = await plain.failure("eth_createAccessList", { from: NOBODY, to: PLACE, value: "0x1" });
    expect(failure).toMatchObject({ code: -32000 });
    expect(failure.message).toContain("insufficient funds");
  });
});
