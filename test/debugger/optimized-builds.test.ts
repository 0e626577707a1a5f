/** The debugger names the functions of optimised builds as their stack traces do. */
import { encodeFunctionData } from "viem";
import { describe, expect, it } from "vitest";
import { fetchTransaction } from "../../src/debugger/recording/fetch-transaction.ts";
import { createNode } from "../../src/node/create-node.ts";
import { decodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { readBuildFile } from "../explain/stack/corpus.ts";
import { Driver } from "./a-session.ts";

const ZERO = "0x0000000000000000000000000000000000000000";

describe.each(["plain", "optimized", "via-ir"])("a failure in the %s build", (mode) => {
  it.each([
    ["initialize", ["Mine._initUnchained", "Mine._init", "Mine.initialize"]],
    ["transferOwnership", ["Mine.transferOwnership"]],
  ])("of %s halts in the function that reverts", async (functionName, expected) => {
    const { input, output } = readBuildFile(`owned-0.8.30-${mode}`);
    const { Mine } = output.contracts["src/Owned.sol"] ?? {};
    const node = await createNode();
    node.abi.addBuild(input, output);
    const [from] = (await node.provider.request({ method: "eth_accounts" })) as [Hex];
    const send = (fields: { readonly to?: Hex; readonly data: Hex }) =>
      node.provider.request({ method: "eth_sendTransaction", params: [{ from, gas: "0x2dc6c0", ...fields }] });
    const created = await send({ data: `0x${Mine?.evm.bytecode.object}` });
    const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [created] });
    const data = encodeFunctionData({ abi: Mine?.abi ?? [], functionName, args: [ZERO] });
    const hash = await send({ to: receipt?.contractAddress as Hex, data });
    const ask = (method: string, params: readonly unknown[]) => node.provider.request({ method, params } as never);
    const driver = await Driver.over((await fetchTransaction(decodeData(hash), ask)).debugged);
    await driver.ask("setExceptionBreakpoints", { filters: ["failure"] });
    await driver.go("continue");
    expect((await driver.stack()).map((entry) => entry.replace(/:\d+$/, ""))).toEqual(expected);
    await node.close();
  });
});
