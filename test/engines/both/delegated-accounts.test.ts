/** Calls of accounts that delegate to others (EIP-7702), on our own way and on EthereumJS'. */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../src/chainspec/hardforks.ts";
import { type Bytes, bytesToBigInt, concatBytes } from "../../src/primitives/bytes.ts";
import { assemble, calling } from "../support/assembler.ts";
import { onBothWays } from "../support/both-ways.ts";
import { addressOf, TARGET } from "../support/evm.ts";
import { hex } from "../support/plain.ts";
import { precompile } from "../support/precompile-calls.ts";

const DELEGATED = addressOf(0xcc);
const DELEGATE = addressOf(0xdd);

const delegatingTo = (address: Bytes): Bytes => concatBytes(Uint8Array.of(0xef, 0x01, 0x00), address);

interface World {
  readonly hardfork?: Hardfork;
  /** What DELEGATED delegates to. */
  readonly to?: Bytes;
  /** The code of DELEGATE. */
  readonly code?: Bytes;
}

/** What code leaves on its stack, by a word. */
async function left(program: string, { hardfork = "osaka", to = DELEGATE, code }: World = {}): Promise<bigint> {
  const accounts = [
    { address: TARGET, code: assemble(`${program} 0 MSTORE 32 0 RETURN`) },
    { address: DELEGATED, code: delegatingTo(to), balance: 5n, nonce: 1n },
    { address: DELEGATE, code: code ?? assemble("STOP") },
  ];
  const { result } = await onBothWays({ hardfork, accounts, message: { gasLimit: 1_000_000n } });
  return bytesToBigInt(result.output);
}

/** Gas from one GAS to the next, with what the second costs and the POP before it. */
const priceOf = (program: string): string => `GAS ${program} POP GAS SWAP1 SUB`;
const CALL = calling("CALL", DELEGATED);
/** Six pushed operands and GAS. */
const OPERANDS = 6n * 3n + 2n;
const AROUND = 2n + 2n;

describe("a delegated account", () => {
  it("runs its delegate's code as itself", async () => {
    const code = assemble("ADDRESS 0 MSTORE SELFBALANCE 32 MSTORE 64 0 RETURN");
    const returned = "POP 64 0 0 RETURNDATACOPY";
    expect(await left(`${CALL} ${returned} 0 MLOAD`, { code })).toBe(bytesToBigInt(DELEGATED));
    expect(await left(`${CALL} ${returned} 32 MLOAD`, { code })).toBe(5n);
    const delegateCall = calling("DELEGATECALL", DELEGATED);
    expect(await left(`${delegateCall} ${returned} 0 MLOAD`, { code })).toBe(bytesToBigInt(TARGET));
  });

  it("runs nothing before Prague", async () => {
    expect(await left(CALL, { hardfork: "prague" })).toBe(1n);
    expect(await left(CALL, { hardfork: "cancun" })).toBe(0n);
  });

  it("is paid for beside its delegate, each as a cold one only once", async () => {
    const rest = OPERANDS + AROUND;
    expect(await left(priceOf(CALL))).toBe(rest + 2600n + 2600n);
    expect(await left(`${CALL} POP ${priceOf(CALL)}`)).toBe(rest + 100n + 100n);
    expect(await left(`${calling("CALL", DELEGATE)} POP ${priceOf(CALL)}`)).toBe(rest + 2600n + 100n);
    expect(await left(`${CALL} POP ${priceOf(calling("CALL", DELEGATE))}`)).toBe(rest + 100n);
  });

  it("fails where it delegates to itself, or to one that delegates", async () => {
    expect(await left(CALL, { to: DELEGATED })).toBe(0n);
    expect(await left(CALL, { code: delegatingTo(addressOf(0xee)) })).toBe(0n);
    const giving1000 = `0 0 0 0 0 ${hex(DELEGATED)} 1000 CALL`;
    // Its own second look at itself is a warm one.
    expect(await left(priceOf(giving1000), { to: DELEGATED })).toBe(7n * 3n + AROUND + 2600n + 100n + 1000n);
  });

  it("does nothing where it delegates to a precompile or to nobody", async () => {
    for (const to of [precompile(2), addressOf(0x77)])
      expect(await left(`${CALL} RETURNDATASIZE ADD`, { to })).toBe(1n);
    expect(await left(priceOf(CALL), { to: precompile(2) })).toBe(OPERANDS + AROUND + 2600n + 100n);
  });

  it("that a transaction calls has a warm delegate", async () => {
    const code = assemble(`${priceOf(`${hex(DELEGATE)} BALANCE`)} 0 MSTORE 32 0 RETURN`);
    const accounts = [
      { address: TARGET, code: delegatingTo(DELEGATE) },
      { address: DELEGATE, code },
    ];
    const { result } = await onBothWays({ hardfork: "osaka", accounts });
    expect(bytesToBigInt(result.output)).toBe(3n + AROUND + 100n);
  });
});
