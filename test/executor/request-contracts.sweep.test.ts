/** Blocks whose contracts of requests are missing or fail: they are not valid (EIP-7002, EIP-7251, EIP-8282). */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../src/chainspec/hardforks/hardforks.ts";
import {
  BUILDER_DEPOSITS_ADDRESS,
  BUILDER_EXITS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  SYSTEM_CONTRACTS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../../src/chainspec/system-contracts.ts";
import { ENGINE_NAMES } from "../../src/evm/engine.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, aNode, BOB, quantity } from "../support/a-node.ts";
import { anUpstream } from "../support/an-upstream.ts";
import { assemble } from "../support/assembler.ts";
import { receiptOf, send } from "../support/contracts.ts";
import { genesisWithDeposits } from "../support/deposit-contract.ts";
import { onEngine } from "../support/per-engine.ts";

const WITHDRAWALS = encodeData(WITHDRAWAL_REQUESTS_ADDRESS);
const CONTRACTS = [
  ["osaka", WITHDRAWALS, "EIP-7002"],
  ["osaka", encodeData(CONSOLIDATION_REQUESTS_ADDRESS), "EIP-7251"],
  ["amsterdam", WITHDRAWALS, "EIP-7002"],
  ["amsterdam", encodeData(BUILDER_DEPOSITS_ADDRESS), "EIP-8282"],
  ["amsterdam", encodeData(BUILDER_EXITS_ADDRESS), "EIP-8282"],
] as const;
const ask = (node: HindcastNode, method: string, ...params: unknown[]) => node.provider.send(method, params);

/** A genesis in which one contract has another code. */
const withCode = (hardfork: Hardfork, address: Hex, code: string) =>
  genesisWithDeposits(hardfork, { [address]: { balance: "0x0", code } });

/** The next block as the pending one shows it, which may be one that cannot be mined. */
const nextBlock = async (node: HindcastNode) => decodeData((await ask(node, "debug_getRawBlock", "pending")) as string);

const FAILURES = [
  ["reverts", encodeData(assemble("0 0 REVERT"))],
  ["runs an invalid opcode", encodeData(assemble("INVALID"))],
  ["runs out of gas", encodeData(assemble("0 0xffffffffffff MSTORE"))],
] as const;

describe.each(ENGINE_NAMES)("a block (%s)", (engine) => {
  const it = onEngine(engine);
  it.each(CONTRACTS)("is refused where it lacks a contract (%s, %s, %s)", async (hardfork, address, source) => {
    const node = await aNode({ genesis: withCode(hardfork, address, "0x"), engine });
    await expect(node.importBlock(await nextBlock(node))).rejects.toMatchObject({
      code: "BLOCK_REJECTED",
      message: `Block 1 is not valid: the system contract ${address} has no code (${source}).`,
    });
    expect(node.head.header.number).toBe(0n);
  });

  it.each(FAILURES)("is refused where a contract %s", async (_, code) => {
    for (const [hardfork, address, source] of CONTRACTS) {
      const node = await aNode({ genesis: withCode(hardfork, address, code), engine });
      const text = `Block 1 is not valid: the system call of ${address} failed \\(\\w+, ${source}\\)\\.`;
      await expect(node.importBlock(await nextBlock(node))).rejects.toMatchObject({
        code: "BLOCK_REJECTED",
        message: expect.stringMatching(new RegExp(`^${text}$`)),
      });
    }
  });

  it("is valid where a contract answers anything, and where it answers nothing", async () => {
    for (const program of ["STOP", "0xabcdef 0 MSTORE 3 29 RETURN"]) {
      const genesis = withCode("osaka", WITHDRAWALS, encodeData(assemble(program)));
      const node = await aNode({ genesis, engine });
      const bytes = await nextBlock(node);
      expect(await node.importBlock(bytes)).toBeDefined();
      expect(node.head.header.number).toBe(1n);
    }
  });
});

describe("a node whose contract fails", () => {
  const failing = encodeData(assemble("0 0 REVERT"));
  const code = SYSTEM_CONTRACTS.find((contract) => encodeData(contract.address) === WITHDRAWALS)?.code;
  const error = {
    code: -32004,
    message: expect.stringContaining(
      `Block 1 would not be valid: the system call of ${WITHDRAWALS} failed (reverted, EIP-7002).`,
    ),
  };

  it.each([["evm_mine"], ["hardhat_mine", "0x1"], ["hardhat_mine", "0x64"], ["anvil_mine", "0x64", "0xc"]])(
    "does not mine, and says why (%s %s)",
    async (method, ...params) => {
      const node = await aNode({ genesis: withCode("osaka", WITHDRAWALS, failing) });
      await expect(ask(node, method, ...params)).rejects.toMatchObject(error);
      expect(await ask(node, "eth_blockNumber")).toBe("0x0");
    },
  );

  it("tells senders, and mines once the contract is mended", async () => {
    const node = await aNode({ genesis: withCode("osaka", WITHDRAWALS, failing), mining: "auto" });
    const transfer = { from: ALICE, to: BOB, value: "0x1" };
    await expect(ask(node, "eth_sendTransaction", transfer)).rejects.toMatchObject(error);
    await ask(node, "anvil_setCode", WITHDRAWALS, encodeData(code ?? new Uint8Array(0)));
    const hash = await send(node, { to: BOB, value: "0x2" });
    expect((await receiptOf(node, hash)).status).toBe("0x1");
  });

  it("tells whoever listens to errors of interval mining", async () => {
    const told: unknown[] = [];
    const genesis = withCode("osaka", WITHDRAWALS, failing);
    await aNode({ genesis, mining: { intervalMs: 5 }, onError: (each) => told.push(each) });
    await expect.poll(() => told[0], { timeout: 60_000 }).toMatchObject({ code: "BLOCK_NOT_MINABLE" });
  });

  it("reads, calls and simulates all the same", async () => {
    const node = await aNode({ genesis: withCode("osaka", WITHDRAWALS, failing) });
    expect(await ask(node, "eth_call", { from: ALICE, to: BOB }, "pending")).toBe("0x");
    expect(await ask(node, "eth_estimateGas", { from: ALICE, to: BOB, value: "0x1" })).toBe(quantity(21_000));
    expect(await ask(node, "eth_simulateV1", { blockStateCalls: [{}] }, "latest")).toHaveLength(1);
    expect(await ask(node, "eth_getBlockByNumber", "pending", false)).toMatchObject({ transactions: [] });
  });
});

// go-ethereum mines on such a genesis, too.
describe("a node whose genesis lacks a contract", () => {
  it("mines, traces and is opened again, and names the contract when the blocks are exported", async () => {
    const dataDir = await aFolder();
    const genesis = withCode("osaka", WITHDRAWALS, "0x");
    const node = await aNode({ genesis, dataDir, mining: "auto" });
    await send(node, { to: BOB, value: "0x1" });
    await node.mine({ blocks: 40 });
    expect(await ask(node, "debug_executionWitness", "0x1")).toHaveProperty("state");
    expect(() => [...node.exportChain()]).toThrow(
      `Block 1 cannot be imported by another chain: the system contract ${WITHDRAWALS} has no code.`,
    );
    await node.close();
    const again = await aNode({ genesis, dataDir });
    expect(again.head.header.number).toBe(41n);
    expect(await ask(again, "trace_block", "0x1")).toHaveLength(1);
  });

  it("mines on a fork of a chain that has no such contracts", async () => {
    const chain = await aNode({ hardfork: "cancun" });
    const upstream = await anUpstream(chain.provider);
    const node = await aNode({ hardfork: "osaka", fork: { url: upstream.url } });
    expect((await node.getCode(WITHDRAWALS)).length).toBe(0);
    const hash = await send(node, { to: BOB, value: "0x1" });
    expect((await receiptOf(node, hash)).status).toBe("0x1");
  });
});
