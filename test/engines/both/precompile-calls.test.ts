/** Calls of precompiles from code. Random programs compare them with EthereumJS' own in the property test. */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../src/chainspec/hardforks.ts";
import { type Bytes, bytesToBigInt } from "../../src/primitives/bytes.ts";
import { assemble, fromHex } from "../support/assembler.ts";
import { runCode as runAndRecord, TARGET, type TestAccount, type TestRun, word } from "../support/evm.ts";
import { hex } from "../support/plain.ts";
import { precompile, WELL_FORMED } from "../support/precompile-calls.ts";

/** Without accesses recorded, for which EthereumJS has to run calls. */
const runCode = (run: TestRun) => runAndRecord({ ...run, record: {} });

/** Calls a precompile with the call data, and returns whether it answered, and what. */
const passingOn = (address: number): Bytes =>
  assemble(`
    CALLDATASIZE 0 0 CALLDATACOPY
    0 0 CALLDATASIZE 0 ${address} GAS STATICCALL
    0 MSTORE RETURNDATASIZE 0 32 RETURNDATACOPY RETURNDATASIZE 32 ADD 0 RETURN
  `);

/** What code leaves on its stack, by a word; it is given 1,000,000 gas. */
async function left(code: string, account: Partial<TestAccount> = {}, hardfork: Hardfork = "osaka"): Promise<bigint> {
  const accounts = [{ address: TARGET, code: assemble(`${code} 0 MSTORE 32 0 RETURN`), ...account }];
  const { result } = await runCode({ hardfork, accounts, message: { gasLimit: 1_000_000n } });
  return bytesToBigInt(result.output);
}

describe("a precompile called by code", () => {
  it.each(["byzantium", "berlin", "osaka"] as const)("gives what it gives a transaction (%s)", async (hardfork) => {
    for (const [number, digits] of WELL_FORMED) {
      const message = { data: fromHex(digits), gasLimit: 1_000_000n };
      const direct = await runCode({ hardfork, message: { ...message, to: precompile(number) } });
      const { result } = await runCode({ hardfork, code: passingOn(number), message });
      const { error, output } = direct.result;
      expect(hex(result.output)).toBe(hex(word(error === undefined ? 1n : 0n)) + hex(output).slice(2));
    }
  });

  it("verifies a KZG proof", async () => {
    const zeroG1 = `c0${"00".repeat(47)}`;
    const versionedHash = "010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014";
    const data = fromHex(`${versionedHash}${"00".repeat(64)}${zeroG1}${zeroG1}`);
    const { result, recorder } = await runCode({ code: passingOn(10), message: { data, gasLimit: 1_000_000n } });
    expect(bytesToBigInt(result.output.subarray(0, 32))).toBe(1n);
    expect(bytesToBigInt(result.output.subarray(32, 64))).toBe(4096n);
    expect(recorder.frames[1]).toMatchObject({ isPrecompile: true, error: undefined, gasUsed: 50_000n });
  });

  it("takes all gas it was given where that does not do, and gives nothing back", async () => {
    const calling = "0 0 0 0 2 59 STATICCALL";
    expect(await left(calling)).toBe(0n);
    expect(await left("0 0 0 0 2 60 STATICCALL")).toBe(1n);
    // Nine opcodes of 3 gas and less around the call, and the call's own 100.
    expect(await left(`GAS ${calling} POP GAS SWAP1 SUB`)).toBe(2n + 18n + 100n + 59n + 2n);
    expect(await left(`32 0 32 0 4 1000 STATICCALL ${calling} POP POP RETURNDATASIZE`)).toBe(0n);
  });

  it("leaves the caller what it has earned back so far", async () => {
    const code = assemble("0 1 SSTORE 0 0 0 0 2 GAS STATICCALL");
    const accounts = [{ address: TARGET, code, storage: [[1n, 5n]] as const }];
    expect((await runCode({ accounts })).result.gasRefund).toBe(4800n);
  });

  it("is paid, and the caller's balance is what is left", async () => {
    expect(await left("SELFBALANCE POP 0 0 0 0 3 2 GAS CALL POP SELFBALANCE", { balance: 10n })).toBe(7n);
    expect(await left("0 0 0 0 3 2 GAS CALL POP 2 BALANCE", { balance: 10n })).toBe(3n);
    // What moved comes back where the precompile fails.
    expect(await left("0 0 0 0 3 6 GAS CALL POP 6 BALANCE", { balance: 10n }, "byzantium")).toBe(3n);
    expect(await left("1 0 MSTORE 0 0 64 0 3 6 9000 CALL POP SELFBALANCE", { balance: 10n })).toBe(10n);
    expect(await left("0 0 0 0 11 2 GAS CALL", { balance: 10n })).toBe(0n);
  });
});
