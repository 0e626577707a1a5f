/** anvil_impersonateSignature: in blocks after the head, and in calls, a signature recovers to a chosen address. */
import { serializeTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { ENGINE_NAMES } from "../../../../src/evm/engine.ts";
import { createNode } from "../../../../src/index.ts";
import { encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { aFolder } from "../../../support/a-folder.ts";
import { ALICE, addressText, aNode, aServedNode, BOB, CAROL, NOBODY, wordText } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { onEngine } from "../../../support/per-engine.ts";

/** Passes its call data on to ecrecover, stores the answer in slot 0 and returns it. */
const CONTRACT = addressText(0x77);
const CODE = encodeData(
  assemble(`
    CALLDATASIZE 0 0 CALLDATACOPY
    32 0 CALLDATASIZE 0 1 GAS STATICCALL POP
    RETURNDATASIZE 0 EQ @none JUMPI
    0 MLOAD 0 SSTORE 32 0 RETURN
    none: 0 0 SSTORE 0 0 MSTORE 32 0 RETURN
  `),
);
const ECRECOVER = "0x0000000000000000000000000000000000000001";
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const digits = (byte: string, count: number): string => byte.repeat(count);
/** r, s and v as an application makes them up. */
const MADE_UP: Hex = `0x${digits("bb", 32)}${digits("22", 32)}1b`;
/** What ecrecover is called with: a hash, v, r and s. */
const inputOf = (signature: string, hash = wordText(5)): Hex =>
  `${hash}${digits("00", 31)}${signature.slice(130)}${signature.slice(2, 130)}` as Hex;
const asWord = (address: string): Hex => wordText(BigInt(address));

describe.each(ENGINE_NAMES)("anvil_impersonateSignature (%s)", (engine) => {
  const it = onEngine(engine);
  async function aChain() {
    const { node, plain } = await aServedNode({ engine });
    await plain.ask("anvil_setCode", CONTRACT, CODE);
    const call = (signature: string, hash?: Hex): Promise<Hex> =>
      plain.ask("eth_call", { to: CONTRACT, data: inputOf(signature, hash) }, "latest");
    const send = (signature: string): Promise<Hex> =>
      plain.ask("eth_sendTransaction", { from: ALICE, to: CONTRACT, data: inputOf(signature), gas: "0x186a0" });
    const stored = (block = "latest"): Promise<Hex> => plain.ask("eth_getStorageAt", CONTRACT, "0x0", block);
    /** What the transaction returned when it is run again. */
    const returned = async (hash: Hex): Promise<Hex> =>
      (await plain.ask<{ output: Hex }>("debug_traceTransaction", hash, { tracer: "callTracer" })).output;
    return { node, plain, call, send, stored, returned };
  }

  it("lets ecrecover answer the address, whatever the hash, and leaves other signatures alone", async () => {
    const { plain, call } = await aChain();
    expect(await plain.ask("anvil_impersonateSignature", MADE_UP, BOB)).toBeNull();
    expect(await call(MADE_UP)).toBe(asWord(BOB));
    expect(await call(MADE_UP, wordText(6))).toBe(asWord(BOB));
    expect(await plain.ask("eth_call", { to: ECRECOVER, data: inputOf(MADE_UP) })).toBe(asWord(BOB));
    const real = await privateKeyToAccount(KEY).sign({ hash: wordText(5) });
    expect(await call(real)).toBe(asWord(ALICE));
    expect(await call(`${MADE_UP.slice(0, 130)}1c`)).not.toBe(asWord(BOB));
  });

  it("takes any v, as Anvil does, and the last address for a signature", async () => {
    const { plain, call } = await aChain();
    const odd = `0x${digits("11", 65)}`;
    expect(await call(odd)).toBe(wordText(0));
    await plain.ask("anvil_impersonateSignature", odd, BOB);
    await plain.ask("hardhat_impersonateSignature", odd, CAROL);
    expect(await call(odd)).toBe(asWord(CAROL));
  });

  it("costs what ecrecover costs", async () => {
    const { plain } = await aChain();
    await plain.ask("anvil_impersonateSignature", MADE_UP, BOB);
    /** Whether ecrecover succeeds with that much gas, and what it costs with the call. */
    const run = async (gas: number): Promise<Hex> => {
      const code = assemble(`
        CALLDATASIZE 0 0 CALLDATACOPY
        0 0 CALLDATASIZE 0 1 ${gas} GAS 0 MSTORE STATICCALL GAS 0 MLOAD SUB 0 MSTORE 32 MSTORE 64 0 RETURN
      `);
      await plain.ask("anvil_setCode", CONTRACT, encodeData(code));
      return plain.ask("eth_call", { to: CONTRACT, data: inputOf(MADE_UP) });
    };
    const [poor, rich] = [await run(2_999), await run(3_000)];
    expect([poor.slice(66), rich.slice(66)]).toEqual([wordText(0).slice(2), wordText(1).slice(2)]);
    expect(Number(poor.slice(0, 66)) + 1).toBe(Number(rich.slice(0, 66)));
  });

  it("holds for blocks after the head, and their traces; blocks before execute as they did", async () => {
    const { plain, send, stored, returned } = await aChain();
    const odd = `0x${digits("11", 65)}`;
    const before = await send(odd);
    await plain.ask("anvil_impersonateSignature", odd, BOB);
    const after = await send(odd);
    expect([await stored("0x1"), await stored("0x2")]).toEqual([wordText(0), asWord(BOB)]);
    expect([await returned(before), await returned(after)]).toEqual([wordText(0), asWord(BOB)]);
    const [trace] = await plain.ask<{ result: { output: Hex } }[]>("trace_transaction", after);
    expect(trace?.result.output).toBe(asWord(BOB));
  });

  it("is undone by a revert to before it and by a reset, and a branch has its own", async () => {
    const { node, plain, call } = await aChain();
    const odd = `0x${digits("11", 65)}`;
    const snapshot = await plain.ask("evm_snapshot");
    await plain.ask("anvil_impersonateSignature", odd, BOB);
    const branch = await node.branch();
    await plain.ask("evm_revert", snapshot);
    expect(await call(odd)).toBe(wordText(0));
    const onBranch = { to: ECRECOVER, data: inputOf(odd) } as const;
    expect(await branch.provider.request({ method: "eth_call", params: [onBranch] })).toBe(asWord(BOB));
    await branch.close();
    await plain.ask("anvil_impersonateSignature", odd, BOB);
    await plain.ask("anvil_reset");
    expect(await plain.ask("eth_call", onBranch)).toBe("0x");
  });

  it("sends a raw transaction from the address, and mines it as that one's", async () => {
    const { plain } = await aChain();
    const signature = { r: `0x${digits("bb", 32)}`, s: `0x${digits("22", 32)}`, yParity: 0 } as const;
    const fields = { chainId: 31_337, to: BOB, value: 7n, gas: 21_000n, maxFeePerGas: 10n ** 10n } as const;
    await plain.ask("anvil_setBalance", NOBODY, "0xde0b6b3a7640000");
    await plain.ask("anvil_impersonateSignature", MADE_UP, NOBODY);
    const raw = serializeTransaction({ ...fields, type: "eip1559", maxPriorityFeePerGas: 1n, nonce: 0 }, signature);
    const hash = await plain.ask<Hex>("eth_sendRawTransaction", raw);
    expect(await plain.ask("eth_getTransactionByHash", hash)).toMatchObject({ from: NOBODY, value: "0x7", v: "0x0" });
    expect(await plain.ask("eth_getTransactionReceipt", hash)).toMatchObject({ from: NOBODY, status: "0x1" });
    expect(await plain.ask("eth_getTransactionCount", NOBODY)).toBe("0x1");
    expect(await plain.ask("trace_transaction", hash)).toMatchObject([{ action: { from: NOBODY } }]);
  });

  it("delegates the address by an authorization with the signature", async () => {
    const { plain } = await aChain();
    await plain.ask("anvil_setBalance", NOBODY, "0x1");
    await plain.ask("anvil_impersonateSignature", MADE_UP, NOBODY);
    const { r, s } = { r: `0x${digits("bb", 32)}`, s: `0x${digits("22", 32)}` };
    const entry = { chainId: "0x7a69", address: CONTRACT, nonce: "0x0", yParity: "0x0", r, s };
    const call = { from: ALICE, to: BOB, authorizationList: [entry] };
    const { accessList } = await plain.ask<{ accessList: { address: string }[] }>("eth_createAccessList", call);
    expect(accessList).toEqual([]);
    const hash = await plain.ask("eth_sendTransaction", call);
    expect(await plain.ask("eth_getCode", NOBODY)).toBe(`0xef0100${CONTRACT.slice(2)}`);
    const prestate = await plain.ask<Record<string, unknown>>("debug_traceTransaction", hash, {
      tracer: "prestateTracer",
    });
    expect(Object.keys(prestate)).toContain(NOBODY);
  });
});

it("a chain on disk knows the signer when it is opened again", async () => {
  const dataDir = await aFolder();
  const node = await createNode({ dataDir });
  await node.provider.send("anvil_impersonateSignature", [MADE_UP, NOBODY]);
  await node.provider.send("evm_mine", []);
  await node.close();
  const again = await aNode({ dataDir });
  const call = { to: ECRECOVER, data: inputOf(MADE_UP) };
  expect(await again.provider.send("eth_call", [call, "latest"])).toBe(asWord(NOBODY));
});

it("a signature that is too short is named", async () => {
  const { plain } = await aServedNode();
  expect((await plain.failure("anvil_impersonateSignature", "0x00", NOBODY)).message).toContain("65 bytes");
});
