import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { encodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, BOB, NOBODY, wordText } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { deploy } from "../../support/contracts.ts";

/**
 * `balanceOf` and `allowance` as Solidity compiles them: mappings at slots 3 and 4, keys hashed with the slot. What the
 * paused flag in slot 0 says is read first, as in real tokens.
 */
const TOKEN = assemble(`
  0 SLOAD POP
  0 CALLDATALOAD 224 SHR
  DUP1 0x70a08231 EQ @balance JUMPI
  DUP1 0xdd62ed3e EQ @allowance JUMPI
  0 0 REVERT
  balance: 4 CALLDATALOAD 0 MSTORE 3 32 MSTORE 64 0 KECCAK256 SLOAD 0 MSTORE 32 0 RETURN
  allowance: 4 CALLDATALOAD 0 MSTORE 4 32 MSTORE 64 0 KECCAK256
    32 MSTORE 36 CALLDATALOAD 0 MSTORE 64 0 KECCAK256 SLOAD 0 MSTORE 32 0 RETURN
`);

/** Calls {@link TOKEN} through DELEGATECALL: its own storage, somebody else's code. */
const proxyOf = (token: Hex): Uint8Array =>
  assemble(`
    CALLDATASIZE 0 0 CALLDATACOPY
    0 0 CALLDATASIZE 0 ${token} GAS DELEGATECALL POP
    RETURNDATASIZE 0 0 RETURNDATACOPY RETURNDATASIZE 0 RETURN
  `);

/** A balance that is computed: always the block number. */
const COMPUTED = assemble("NUMBER 0 MSTORE 32 0 RETURN");

const word = (text: string): string => text.slice(2).padStart(64, "0");
const ask = <T = unknown>(node: HindcastNode, method: string, ...params: unknown[]): Promise<T> =>
  node.provider.send(method, params) as Promise<T>;
const balanceOf = (node: HindcastNode, token: Hex, owner: string): Promise<Hex> =>
  ask(node, "eth_call", { to: token, data: `0x70a08231${word(owner)}` });
const allowance = (node: HindcastNode, token: Hex, owner: string, spender: string): Promise<Hex> =>
  ask(node, "eth_call", { to: token, data: `0xdd62ed3e${word(owner)}${word(spender)}` });

describe("anvil_dealERC20 and anvil_setERC20Allowance", () => {
  it.each([
    ["a token with mappings", async (node: HindcastNode) => deploy(node, TOKEN)],
    ["a token behind a proxy", async (node: HindcastNode) => deploy(node, proxyOf(await deploy(node, TOKEN)))],
  ])("set what %s answers, and nobody else's balance", async (_what, deployToken) => {
    const node = await aNode();
    const token = await deployToken(node);
    expect(await ask(node, "anvil_dealERC20", NOBODY, token, "0x3e8")).toBeNull();
    await ask(node, "hardhat_dealERC20", BOB, token, 5);
    await ask(node, "tenderly_setErc20Balance", token, ALICE, "0x0");
    expect(await Promise.all([NOBODY, BOB, ALICE].map((owner) => balanceOf(node, token, owner)))).toEqual(
      [1_000, 5, 0].map(wordText),
    );
    await ask(node, "anvil_setERC20Allowance", NOBODY, BOB, token, "0x7");
    expect(await allowance(node, token, NOBODY, BOB)).toBe(wordText(7));
    expect(await allowance(node, token, BOB, NOBODY)).toBe(wordText(0));
  });

  it("say that a computed balance cannot be set, even where it is what was asked for", async () => {
    const node = await aNode();
    const token = await deploy(node, COMPUTED);
    await expect(ask(node, "anvil_dealERC20", NOBODY, token, "0x1")).rejects.toMatchObject({
      code: -32001,
      message: expect.stringContaining(`No storage slot of ${token} holds the balance or allowance as it is.`),
    });
    await expect(ask(node, "anvil_dealERC20", NOBODY, encodeData(new Uint8Array(20)), "0x1")).rejects.toThrow(
      "No storage slot",
    );
  });
});
