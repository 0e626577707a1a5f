import { expect, it } from "vitest";
import { ALICE, aNode } from "../../support/a-node.ts";

/** Creates with two bytes of init code, 0xef00, and returns what CREATE gave. */
const CREATOR = "0x61ef00600052" + "6002601e6000f0" + "60005260206000f3";
const CREATOR_ADDRESS = "0x00000000000000000000000000000000000000cc";

it.each(["berlin", "london", "cancun", "osaka"])(
  "init code that begins like the EVM Object Format is run and fails at its first opcode, its gas and a nonce gone (%s)",
  async (hardfork) => {
    const node = await aNode({ hardfork });
    const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
    await ask("anvil_setCode", CREATOR_ADDRESS, CREATOR);
    await ask("anvil_setNonce", CREATOR_ADDRESS, "0x1");
    const hash = await ask("eth_sendTransaction", { from: ALICE, to: CREATOR_ADDRESS, gas: "0x30d40" });
    const [outer, inner] = (await ask("trace_transaction", hash)) as unknown as [
      { result: { output: string } },
      { type: string; error: string },
    ];
    expect(outer.result.output).toBe(`0x${"0".repeat(64)}`);
    expect([inner.type, inner.error]).toEqual(["create", "Bad instruction"]);
    expect(await ask("eth_getTransactionCount", CREATOR_ADDRESS, "latest")).toBe("0x2");
    // 200,000 gas less 21,000 and about 32,000 for CREATE: of the rest all but a 64th went with it.
    const { gasUsed } = (await ask("eth_getTransactionReceipt", hash)) as unknown as { gasUsed: string };
    expect(Number(gasUsed)).toBeGreaterThan(197_000);
    await node.close();
  },
);
