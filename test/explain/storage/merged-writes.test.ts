/** Variables of one slot in optimised builds. */
import { encodeFunctionData } from "viem";
import { expect, it } from "vitest";
import { createNode } from "../../../src/index.ts";
import { readBuildFile } from "../stack/corpus.ts";

it.each([
  ["plain", false],
  ["optimized", true],
  ["via-ir", true],
])("a write that the optimizer merged with one of another variable is approximate (%s)", async (mode, isMerged) => {
  const { input, output } = readBuildFile(`reverts-0.8.30-${mode}`);
  const packed = output.contracts["src/Reverts.sol"]?.Packed;
  if (packed === undefined) throw new Error("the fixture lacks its contract");
  await using node = await createNode();
  node.abi.addBuild(input, output);
  const [from] = await node.provider.request({ method: "eth_accounts" });
  const send = (fields: object) => node.provider.send("eth_sendTransaction", [{ from, ...fields }]) as Promise<never>;
  const creation = await send({ data: `0x${packed.evm.bytecode.object}` });
  const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [creation] });
  const data = encodeFunctionData({ abi: packed.abi, functionName: "grow", args: [7] });
  const { storage } = await node.explain(await send({ to: receipt?.contractAddress, data }));
  const next = storage.find(({ name }) => name === "next")?.writes ?? [];
  expect(next).toHaveLength(1);
  if (isMerged) expect(next).toMatchObject([{ isApproximate: true }]);
  else expect(next).toMatchObject([{ function: "Packed.grow", isApproximate: false }]);
});
