/** Calls of precompiles: by code and by messages, by hardfork, with ether, and where a table moves them. */
import { describe, expect } from "vitest";
import type { Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import { precompilesAt } from "../../../src/chainspec/hardforks/precompiles.ts";
import { ENGINE_NAMES, type EngineName } from "../../../src/evm/engine.ts";
import { type Bytes, bytesKey, bytesToBigInt, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { assemble, calling, fromHex } from "../../support/assembler.ts";
import { addressOf, REFERENCE_HARDFORKS, SELECTED_HARDFORKS, type TestAccount, word } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";
import { precompile, WELL_FORMED } from "../../support/precompile-calls.ts";
import { sweep } from "../../support/seed.ts";
import { AROUND, callingCheaply, left as leftBy, priceOf, run, runProgram } from "./running.ts";

/** Calls a precompile with the call data, and returns whether it answered, and what. */
const passingOn = (address: number, kind = "STATICCALL"): Bytes =>
  assemble(`
    CALLDATASIZE 0 0 CALLDATACOPY
    0 0 CALLDATASIZE 0 ${kind === "CALL" || kind === "CALLCODE" ? "0" : ""} ${address} GAS ${kind}
    0 MSTORE RETURNDATASIZE 0 32 RETURNDATACOPY RETURNDATASIZE 32 ADD 0 RETURN
  `);

/** The stack items that code leaves, one per word; it has 1,000,000 gas. */
function left(engine: EngineName, code: string, target: Partial<TestAccount> = {}, hardfork: Hardfork = "osaka") {
  return leftBy(engine, code, { hardfork, target, gasLimit: 1_000_000n });
}

/** Input that verifies: the commitment to zero everywhere. */
const KZG_INPUT = `010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014${"00".repeat(64)}${`c0${"00".repeat(47)}`.repeat(2)}`;

describe.each(ENGINE_NAMES)("a precompile called by code (%s)", (engine) => {
  const it = onEngine(engine);
  it.each(
    sweep(["byzantium", "berlin", "osaka"] as const, (hardfork) => engine === "wasm" || hardfork === "byzantium"),
  )("gives what it gives a transaction (%s)", async (hardfork) => {
    // In default tests EthereumJS, whose own these are, is called for every third.
    for (const [number, digits] of sweep([...WELL_FORMED], (_, index) => engine === "wasm" || index % 3 === 0)) {
      const message = { data: fromHex(digits), gasLimit: 1_000_000n };
      const direct = await run(engine, { hardfork, message: { ...message, to: precompile(number) } });
      const { error, output } = direct.result;
      for (const kind of ["STATICCALL", "CALL", "CALLCODE", "DELEGATECALL"]) {
        const { result } = await run(engine, { hardfork, code: passingOn(number, kind), message });
        expect(hex(result.output)).toBe(hex(word(error === undefined ? 1n : 0n)) + hex(output).slice(2));
      }
    }
  });

  it("verifies a KZG proof", async () => {
    const message = { data: fromHex(KZG_INPUT), gasLimit: 1_000_000n };
    const { result, recorder } = await run(engine, { code: passingOn(10), message });
    expect(bytesToBigInt(result.output.subarray(0, 32))).toBe(1n);
    expect(bytesToBigInt(result.output.subarray(32, 64))).toBe(4096n);
    expect(recorder.frames[1]).toMatchObject({ isPrecompile: true, error: undefined, gasUsed: 50_000n });
  });

  it("takes all gas it was given where that does not do, and gives nothing back", async () => {
    const static59 = "0 0 0 0 2 59 STATICCALL";
    expect(await left(engine, static59)).toBe(0n);
    expect(await left(engine, "0 0 0 0 2 60 STATICCALL")).toBe(1n);
    expect(await left(engine, priceOf(static59))).toBe(AROUND + 18n + 100n + 59n);
    expect(await left(engine, `32 0 32 0 4 1000 STATICCALL ${static59} POP POP RETURNDATASIZE`)).toBe(0n);
  });

  it("leaves the caller what it has earned back so far", async () => {
    const target = { storage: [[1n, 5n]] as const };
    const { result } = await runProgram(engine, "0 1 SSTORE 0 0 0 0 2 GAS STATICCALL", { target });
    expect(result.gasRefund).toBe(4800n);
  });

  it("is paid, and the caller's balance is what is left", async () => {
    const rich = { balance: 10n };
    expect(await left(engine, "SELFBALANCE POP 0 0 0 0 3 2 GAS CALL POP SELFBALANCE", rich)).toBe(7n);
    expect(await left(engine, "0 0 0 0 3 2 GAS CALL POP 2 BALANCE", rich)).toBe(3n);
    expect(await left(engine, "0 0 0 0 3 6 GAS CALL POP 6 BALANCE", rich, "byzantium")).toBe(3n);
    // The value is returned if the precompile fails, and not transferred if the sender lacks it.
    expect(await left(engine, "1 0 MSTORE 0 0 64 0 3 6 9000 CALL POP SELFBALANCE", rich)).toBe(10n);
    expect(await left(engine, "0 0 0 0 11 2 GAS CALL", rich)).toBe(0n);
  });

  it("has no code and no hash, nor has an account come of it", async () => {
    expect(await left(engine, "0 0 0 0 2 GAS STATICCALL POP 2 EXTCODESIZE 2 EXTCODEHASH ADD")).toBe(0n);
    const { account } = await runProgram(engine, calling("CALL", precompile(2)), { hardfork: "byzantium" });
    expect(account(precompile(2))).toBeUndefined();
  });

  it("answers with what the output region has room for, and all of it as return data", async () => {
    const program = "0 NOT 0 MSTORE 4 8 0 0 2 GAS STATICCALL POP";
    const sha256OfNothing = 0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855n;
    const mask = (1n << 64n) - 1n;
    expect(await left(engine, `${program} 0 MLOAD`)).toBe(
      (mask << 192n) | ((sha256OfNothing >> 224n) << 160n) | ((1n << 160n) - 1n),
    );
    expect(await left(engine, `${program} RETURNDATASIZE 0 0 RETURNDATACOPY 0 MLOAD`)).toBe(sha256OfNothing);
  });

  it("runs over its caller's own memory without harm", async () => {
    // Identity from a region into another that overlaps it.
    const digits = Array.from({ length: 32 }, (_, index) => (index + 1).toString(16).padStart(2, "0")).join("");
    expect(await left(engine, `0x${digits} 0 MSTORE 32 5 32 0 4 GAS STATICCALL POP 5 MLOAD`)).toBe(
      BigInt(`0x${digits}`),
    );
    expect(await left(engine, `0x${digits} 5 MSTORE 32 0 32 5 4 GAS STATICCALL POP 0 MLOAD`)).toBe(
      BigInt(`0x${digits}`),
    );
  });
});

describe.each(ENGINE_NAMES)("the precompiles of a hardfork (%s)", (engine) => {
  const it = onEngine(engine);
  // EthereumJS has a table of its own, in which ours are looked up: in default tests those that add some.
  const ADDING: ReadonlySet<string> = new Set(["chainstart", "byzantium", "istanbul", "cancun", "prague", "osaka"]);

  it.each(sweep(REFERENCE_HARDFORKS, (hardfork) => (engine === "wasm" ? SELECTED_HARDFORKS : ADDING).has(hardfork)))(
    "are there, and no others (%s)",
    async (hardfork) => {
      const active = new Set(precompilesAt(hardfork).map(({ address }) => hex(address)));
      for (const number of [...WELL_FORMED.keys(), 0x12, 0x99]) {
        const { recorder } = await run(engine, { hardfork, message: { to: precompile(number) } });
        expect([number, recorder.frames[0]?.isPrecompile]).toEqual([number, active.has(hex(precompile(number)))]);
      }
    },
  );

  /** Price of a call with well-formed input, by hardfork: where EIPs set or changed it. */
  it.each<readonly [string, number, Hardfork, bigint]>([
    ["ecrecover", 0x01, "chainstart", 3_000n],
    ["sha256 of 64 bytes", 0x02, "chainstart", 60n + 2n * 12n],
    ["ripemd160 of 64 bytes", 0x03, "chainstart", 600n + 2n * 120n],
    ["identity of 45 bytes", 0x04, "chainstart", 15n + 2n * 3n],
    ["modexp, EIP-198", 0x05, "byzantium", 12n],
    ["modexp, EIP-2565", 0x05, "berlin", 200n],
    ["modexp, EIP-7883", 0x05, "osaka", 500n],
    ["bn254 addition", 0x06, "byzantium", 500n],
    ["bn254 addition, EIP-1108", 0x06, "istanbul", 150n],
    ["bn254 multiplication", 0x07, "byzantium", 40_000n],
    ["bn254 multiplication, EIP-1108", 0x07, "istanbul", 6_000n],
    ["bn254 pairing of nothing", 0x08, "byzantium", 100_000n],
    ["bn254 pairing of nothing, EIP-1108", 0x08, "istanbul", 45_000n],
    ["blake2f of 12 rounds", 0x09, "istanbul", 12n],
    ["BLS12-381 G1 addition", 0x0b, "prague", 375n],
    ["BLS12-381 G1 multiplication", 0x0c, "prague", 12_000n],
    ["BLS12-381 G2 addition", 0x0d, "prague", 600n],
    ["BLS12-381 G2 multiplication", 0x0e, "prague", 22_500n],
    ["BLS12-381 pairing of one pair", 0x0f, "prague", 32_600n + 37_700n],
    ["BLS12-381 mapping to G1", 0x10, "prague", 5_500n],
    ["BLS12-381 mapping to G2", 0x11, "prague", 23_800n],
    ["P-256, EIP-7951", 0x100, "osaka", 6_900n],
  ])("cost what the EIPs say: %s", async (_name, number, hardfork, price) => {
    const data = fromHex(WELL_FORMED.get(number) ?? "");
    const { result } = await run(engine, { hardfork, message: { to: precompile(number), data, gasLimit: 200_000n } });
    expect(result).toMatchObject({ error: undefined, gasUsed: price });
    const poor = await run(engine, { hardfork, message: { to: precompile(number), data, gasLimit: price - 1n } });
    expect(poor.result).toMatchObject({ error: "outOfGas", gasUsed: price - 1n, output: EMPTY_BYTES });
  });

  it("verify a KZG proof, and refuse what does not fit, when they are called by a message", async () => {
    const call = (data: string) => run(engine, { message: { to: precompile(10), data: fromHex(data) } });
    expect((await call(KZG_INPUT)).result).toMatchObject({ error: undefined, gasUsed: 50_000n });
    expect((await call(`02${KZG_INPUT.slice(2)}`)).result.error).toBe("precompileFailed");
    expect((await call(KZG_INPUT.slice(2))).result.error).toBe("precompileFailed");
  });
});

describe.each(ENGINE_NAMES)("a table of precompiles (%s)", (engine) => {
  const it = onEngine(engine);
  const elsewhere = addressOf(0x99);
  const sha256 = precompile(2);
  const precompiles = new Map([[bytesKey(elsewhere), sha256]]);
  const accounts: readonly TestAccount[] = [{ address: sha256, code: assemble("7 0 MSTORE 32 0 RETURN"), nonce: 1n }];
  const answer = (address: Bytes) => `32 0 0 0 ${hex(address)} GAS STATICCALL POP 0 MLOAD`;

  it("has one answer where it says, and the account at its home instead of it", async () => {
    const given = { hardfork: "osaka", precompiles, accounts } as const;
    expect(await leftBy(engine, answer(elsewhere), given)).toBe(
      0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855n,
    );
    expect(await leftBy(engine, answer(sha256), given)).toBe(7n);
    // The others are in no table, and gone.
    const { frame } = await runProgram(engine, callingCheaply("CALL", precompile(4)), given);
    expect(frame).toMatchObject({ isPrecompile: false, gasUsed: 0n });
  });

  it("leaves warm what is warm", async () => {
    const given = { hardfork: "osaka", precompiles, accounts } as const;
    expect(await leftBy(engine, priceOf(`${hex(sha256)} BALANCE`), given)).toBe(AROUND + 3n + 100n);
    expect(await leftBy(engine, priceOf(`${hex(elsewhere)} BALANCE`), given)).toBe(AROUND + 3n + 2600n);
  });
});
