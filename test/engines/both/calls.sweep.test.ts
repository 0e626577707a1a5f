/** Calls by hardfork: what they cost, what gas they hand on, how deep they go, whom they run as. */
import { describe, expect } from "vitest";
import { type Hardfork, isAtLeast } from "../../../src/chainspec/hardforks/hardforks.ts";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { type Bytes, bytesToBigInt } from "../../../src/primitives/bytes/bytes.ts";
import { assemble, calling } from "../../support/assembler.ts";
import { addressOf, OPCODE_HARDFORKS, SENDER, TARGET, type TestAccount } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";
import { isSlow, sweep } from "../../support/seed.ts";
import { AROUND, callingCheaply, left, priceOf, runProgram } from "./running.ts";

const C = addressOf(0xcc);
const D = addressOf(0xdd);
const NOBODY = addressOf(0x77);

const OLD = ["chainstart", "homestead"] as const;
const KINDS = ["CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"] as const;

/** True for calls that say how much ether goes with them. */
const hasValue = (kind: (typeof KINDS)[number]): boolean => kind === "CALL" || kind === "CALLCODE";

/** A call that asks for so much gas. */
const asking = (gas: bigint | string, to: Bytes = C, value = 0n) => `0 0 0 0 ${value} ${hex(to)} ${gas} CALL`;

describe.each(ENGINE_NAMES)("before EIP-150 (%s)", (engine) => {
  const it = onEngine(engine);
  const accounts: readonly TestAccount[] = [{ address: C, code: assemble("GAS 0 MSTORE 32 0 RETURN") }];
  // Seven pushes, and the price of a call.
  const before = 7n * 3n + 40n;

  it.each(OLD)("a call hands on all the gas that it asks for (%s)", async (hardfork) => {
    const exact = await runProgram(engine, asking(50_000n), { hardfork, accounts, gasLimit: before + 50_000n });
    expect(exact.result.error).toBeUndefined();
    expect(exact.frame?.gas).toBe(50_000n);
  });

  it.each(OLD)("a call that asks for more than there is ends its frame (%s)", async (hardfork) => {
    const given = { hardfork, accounts, gasLimit: before + 49_999n };
    const { result, frame } = await runProgram(engine, asking(50_000n), given);
    expect(result).toMatchObject({ error: "outOfGas", gasUsed: given.gasLimit });
    expect(frame).toBeUndefined();
    expect((await runProgram(engine, asking("0 NOT"), given)).result.error).toBe("outOfGas");
    // GAS gives the gas before its own price is paid.
    expect((await runProgram(engine, asking("GAS"), given)).result.error).toBe("outOfGas");
  });

  it.each(OLD)("a call that moves ether gives 2,300 gas on top (%s)", async (hardfork) => {
    const given = { hardfork, accounts, gasLimit: before + 9_000n + 100n, target: { balance: 1n } };
    const { result, frame } = await runProgram(engine, asking(100n, C, 1n), given);
    expect(result.error).toBeUndefined();
    expect(frame?.gas).toBe(2_400n);
  });

  it.each(OLD)("a call of an account that is not there pays for it, even without ether (%s)", async (hardfork) => {
    const price = (to: Bytes) => left(engine, priceOf(asking(0n, to)), { hardfork, accounts });
    expect(await price(NOBODY)).toBe(AROUND + before + 25_000n);
    // Without gas the called code fails, and has used nothing.
    expect(await price(C)).toBe(AROUND + before);
  });

  it.each(sweep(OLD, () => engine === "wasm"))(
    "frames go 1,024 deep and no deeper: no 64th is kept on the way (%s)",
    async (hardfork) => {
      const given = { hardfork, gasLimit: 1_000_000n };
      const { result, recorder } = await runProgram(engine, "0 0 0 0 0 ADDRESS 100 GAS SUB CALL", given);
      expect(result.error).toBeUndefined();
      expect(recorder.frames).toHaveLength(1026);
      expect(recorder.frames[1024]).toMatchObject({ isStarted: true, error: undefined, depth: 1024 });
      expect(recorder.frames[1025]).toMatchObject({ isStarted: false, error: "callTooDeep" });
      // Six instructions, GAS and SUB, the call, and what of the hundred is left: in each frame the same.
      expect(recorder.frames[1024]?.gas).toBe(given.gasLimit - 1024n * (5n * 3n + 2n + 3n + 2n + 100n));
    },
  );

  it.each(OLD)("a creation is given all gas (%s)", async (hardfork) => {
    const given = { hardfork, gasLimit: 9n + 32_000n + 10_000n };
    const { result, frame } = await runProgram(engine, "0 0 0 CREATE", given);
    expect(frame?.gas).toBe(10_000n);
    expect(result.gasUsed).toBe(9n + 32_000n);
  });
});

describe.each(ENGINE_NAMES)("since EIP-150 (%s)", (engine) => {
  const it = onEngine(engine);
  const accounts: readonly TestAccount[] = [{ address: C, code: assemble("INVALID") }];

  it.each(["tangerineWhistle", "istanbul", "berlin", "osaka"] as const)(
    "a call hands on at most all but a 64th (%s)",
    async (hardfork) => {
      const price = isAtLeast(hardfork, "berlin") ? 2_600n : 700n;
      const available = 1_000_000n - 7n * 3n - price;
      const most = available - available / 64n;
      const given = { hardfork, accounts, gasLimit: 1_000_000n };
      expect((await runProgram(engine, asking(most - 1n), given)).frame?.gas).toBe(most - 1n);
      expect((await runProgram(engine, asking(most), given)).frame?.gas).toBe(most);
      expect((await runProgram(engine, asking(most + 1n), given)).frame?.gas).toBe(most);
      expect((await runProgram(engine, asking(`0x${"ff".repeat(32)}`), given)).frame?.gas).toBe(most);
      const { result } = await runProgram(engine, asking(`0x${"ff".repeat(32)}`), given);
      expect(result).toMatchObject({ error: undefined, gasUsed: 1_000_000n - available / 64n });
    },
  );

  it("a call that moves ether costs 9,000, and 25,000 where it makes an account", async () => {
    const price = (hardfork: Hardfork, to: Bytes, value: bigint) =>
      left(engine, priceOf(asking(0n, to, value)), {
        hardfork,
        accounts: [{ address: C }, { address: D, nonce: 1n }],
        target: { balance: 5n },
      });
    const rest = AROUND + 7n * 3n;
    // The stipend comes back from an account without code.
    expect(await price("tangerineWhistle", D, 1n)).toBe(rest + 700n + 9_000n - 2_300n);
    expect(await price("tangerineWhistle", NOBODY, 0n)).toBe(rest + 700n + 25_000n);
    expect(await price("tangerineWhistle", C, 1n)).toBe(rest + 700n + 9_000n - 2_300n);
    expect(await price("spuriousDragon", NOBODY, 0n)).toBe(rest + 700n);
    expect(await price("spuriousDragon", NOBODY, 1n)).toBe(rest + 700n + 9_000n + 25_000n - 2_300n);
    expect(await price("spuriousDragon", C, 1n)).toBe(rest + 700n + 9_000n + 25_000n - 2_300n);
    expect(await price("osaka", NOBODY, 1n)).toBe(rest + 2_600n + 9_000n + 25_000n - 2_300n);
  });

  it("a CALLCODE that moves ether pays for that and for no account, and moves nothing", async () => {
    const program = `0 0 0 0 1 ${hex(NOBODY)} 0 CALLCODE`;
    const { account, result } = await runProgram(engine, program, { target: { balance: 1n } });
    expect(result.gasUsed).toBe(7n * 3n + 2_600n + 9_000n - 2_300n);
    expect(account(TARGET)?.balance).toBe(1n);
    expect(account(NOBODY)).toBeUndefined();
    expect(await left(engine, program)).toBe(0n);
  });

  it.each(sweep(["istanbul", "cancun"] as const, () => engine === "wasm"))(
    "frames go 1,024 deep and no deeper (%s)",
    async (hardfork) => {
      const given = { hardfork, gasLimit: 10n ** 12n };
      const { result, recorder } = await runProgram(engine, calling("CALL", TARGET), given);
      expect(result.error).toBeUndefined();
      expect(recorder.frames).toHaveLength(1026);
      expect(recorder.frames[1024]).toMatchObject({ isStarted: true, error: undefined, depth: 1024 });
      expect(recorder.frames[1025]).toMatchObject({ isStarted: false, error: "callTooDeep" });
    },
  );

  if (isSlow || engine === "wasm") {
    it("a frame as deep as can be gets back the gas of its calls of every kind, and finds 0", async () => {
      // The innermost frame, the one whose call is refused, tells what it saw of each kind; others pass it on.
      const measured = KINDS.map((kind, index) => {
        const call = `0 0 0 0 ${hasValue(kind) ? "0" : ""} ${hex(TARGET)} 5000 ${kind}`;
        return `GAS ${call} SWAP1 GAS SWAP1 SUB ${64 * index + 32} MSTORE ${64 * index} MSTORE`;
      });
      const size = 64 * KINDS.length;
      const program = `
      ${calling("CALL", TARGET)} @inner JUMPI
      ${measured.join(" ")} ${size} 0 RETURN
      inner: RETURNDATASIZE 0 0 RETURNDATACOPY RETURNDATASIZE 0 RETURN`;
      const { result } = await runProgram(engine, program, { gasLimit: 10n ** 13n });
      const words = Array.from({ length: 2 * KINDS.length }, (_, index) =>
        bytesToBigInt(result.output.subarray(32 * index, 32 * index + 32)),
      );
      expect(words).toEqual(KINDS.flatMap((kind) => [0n, (hasValue(kind) ? 7n : 6n) * 3n + 100n + 3n + 2n]));
    });
  }
});

describe.each(ENGINE_NAMES)("a called frame (%s)", (engine) => {
  const it = onEngine(engine);
  const telling = assemble(
    "ADDRESS 0 MSTORE CALLER 32 MSTORE CALLVALUE 64 MSTORE CALLDATASIZE 96 MSTORE ORIGIN 128 MSTORE 160 0 RETURN",
  );
  const accounts: readonly TestAccount[] = [{ address: C, code: telling }];

  it.each([
    ["CALL", C, TARGET, 2n],
    ["CALLCODE", TARGET, TARGET, 2n],
    ["DELEGATECALL", TARGET, SENDER, 9n],
    ["STATICCALL", C, TARGET, 0n],
  ] as const)("of %s has its own account, caller and value", async (kind, address, caller, value) => {
    const paid = kind === "CALL" || kind === "CALLCODE" ? "2" : "";
    const program = `160 0 3 0 ${paid} ${hex(C)} GAS ${kind} POP 160 0 RETURN`;
    const { result } = await runProgram(engine, program, { accounts, message: { value: 9n } });
    const words = Array.from({ length: 5 }, (_, index) =>
      bytesToBigInt(result.output.subarray(index * 32, index * 32 + 32)),
    );
    expect(words).toEqual([bytesToBigInt(address), bytesToBigInt(caller), value, 3n, bytesToBigInt(SENDER)]);
  });

  it("is found by the lowest 160 bits of a word", async () => {
    const dirty = `0x${"ff".repeat(12)}${"cc".repeat(20)}`;
    const program = `160 0 0 0 0 ${dirty} GAS CALL POP 0 MLOAD`;
    expect(await left(engine, program, { accounts })).toBe(bytesToBigInt(C));
    expect(await left(engine, `${dirty} EXTCODESIZE`, { accounts })).toBe(BigInt(telling.length));
    expect(await left(engine, `${hex(C)} BALANCE POP ${priceOf(`${dirty} BALANCE`)}`, { accounts })).toBe(
      AROUND + 3n + 100n,
    );
  });

  it("may not change the state where it or a caller of it is static", async () => {
    const storing: TestAccount = { address: D, code: assemble("1 1 SSTORE") };
    for (const kind of ["CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"]) {
      const through: TestAccount = { address: C, code: assemble(callingCheaply(kind, D)) };
      const { recorder } = await runProgram(engine, calling("STATICCALL", C), { accounts: [through, storing] });
      expect(recorder.frames.map(({ error }) => error)).toEqual([undefined, undefined, "staticStateChange"]);
    }
  });

  it("may change it again behind a static call", async () => {
    const { slot } = await runProgram(engine, `${calling("STATICCALL", C)} 7 SSTORE`, { accounts });
    expect(slot(TARGET, 7n)).toBe(1n);
  });

  it("of a call with ether in a static frame is refused, one of CALLCODE is not", async () => {
    const refused: TestAccount = { address: D, code: assemble(calling("CALL", C, 1n)), balance: 5n };
    const { recorder } = await runProgram(engine, calling("STATICCALL", D), { accounts: [refused, ...accounts] });
    expect(recorder.frames[1]?.error).toBe("staticStateChange");
    const allowed: TestAccount = { address: D, code: assemble(calling("CALLCODE", C, 1n)), balance: 5n };
    const other = await runProgram(engine, calling("STATICCALL", D), { accounts: [allowed, ...accounts] });
    expect(other.recorder.frames.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  });

  it("without the ether does not start, and its caller keeps the gas and the stipend", async () => {
    // The stipend is not taken from the caller, but it gets it back.
    expect(await left(engine, priceOf(asking(1_000n, C, 1n)), { accounts })).toBe(
      AROUND + 21n + 2_600n + 9_000n - 2_300n,
    );
    const { frame } = await runProgram(engine, asking(1_000n, C, 1n), { accounts });
    expect(frame).toMatchObject({ isStarted: false, error: "insufficientBalance", gas: 3_300n });
  });

  it("that fails takes the gas it was given; one that reverts gives back what is left", async () => {
    const price = (code: string) =>
      left(engine, priceOf(asking(10_000n)), { accounts: [{ address: C, code: assemble(code) }] });
    const rest = AROUND + 21n + 2_600n;
    expect(await price("INVALID")).toBe(rest + 10_000n);
    expect(await price("0 0 REVERT")).toBe(rest + 6n);
    expect(await price("STOP")).toBe(rest);
  });
});

describe.each(ENGINE_NAMES)("looking at accounts (%s)", (engine) => {
  const it = onEngine(engine);
  it.each<readonly [Hardfork, string, bigint, bigint]>([
    ["chainstart", "BALANCE", 20n, 20n],
    ["tangerineWhistle", "BALANCE", 400n, 400n],
    ["istanbul", "BALANCE", 700n, 700n],
    ["berlin", "BALANCE", 2_600n, 100n],
    ["chainstart", "EXTCODESIZE", 20n, 20n],
    ["tangerineWhistle", "EXTCODESIZE", 700n, 700n],
    ["berlin", "EXTCODESIZE", 2_600n, 100n],
    ["constantinople", "EXTCODEHASH", 400n, 400n],
    ["istanbul", "EXTCODEHASH", 700n, 700n],
    ["berlin", "EXTCODEHASH", 2_600n, 100n],
  ])("costs by the rules of %s, with %s, %i gas, then %i", async (hardfork, opcode, first, second) => {
    const look = `${hex(C)} ${opcode}`;
    expect(await left(engine, priceOf(look), { hardfork })).toBe(AROUND + 3n + first);
    expect(await left(engine, `${look} POP ${priceOf(look)}`, { hardfork })).toBe(AROUND + 3n + second);
  });

  it("finds a hash for an account that is not empty, and none for one that is or is not there", async () => {
    const accounts: readonly TestAccount[] = [{ address: C, balance: 1n }, { address: D }];
    const emptyHash = 0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470n;
    for (const hardfork of ["constantinople", "cancun"] as const) {
      const hash = (address: Bytes) => left(engine, `${hex(address)} EXTCODEHASH`, { hardfork, accounts });
      expect(await hash(C)).toBe(emptyHash);
      expect(await hash(D)).toBe(0n);
      expect(await hash(NOBODY)).toBe(0n);
    }
  });

  it.each(OPCODE_HARDFORKS)("finds the balance that calls have left (%s)", async (hardfork) => {
    const program = `${callingCheaply("CALL", C, 3n)} POP ${hex(C)} BALANCE ADDRESS BALANCE 256 MUL ADD`;
    expect(await left(engine, program, { hardfork, target: { balance: 10n } })).toBe(7n * 256n + 3n);
    const back: TestAccount = { address: D, code: assemble(`${callingCheaply("CALL", C, 3n)} INVALID`), balance: 3n };
    const undone = `0 0 0 0 0 ${hex(D)} 200000 CALL POP ${hex(C)} BALANCE`;
    expect(await left(engine, undone, { hardfork, accounts: [back] })).toBe(0n);
  });
});
