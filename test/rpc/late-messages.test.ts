/** Messages that name custom errors are made when they are read: most errors of a test are expected ones. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { toFunctionSelector } from "viem";
import { expect, it } from "vitest";
import { createNode } from "../../src/index.ts";
import { ProviderRpcError } from "../../src/rpc/provider.ts";
import { aFolder } from "../support/a-folder.ts";

const TARGET = "0x00000000000000000000000000000000000000aa";
/** Reverts with the selector of Broken(). */
const CODE = `0x63${toFunctionSelector("Broken()").slice(2)}60e01b60005260046000fd` as const;
const MESSAGE = "VM Exception while processing transaction: reverted with custom error 'Broken()'";

async function failureOf(artifacts: string): Promise<ProviderRpcError> {
  const node = await createNode({ dialect: "hardhat", artifacts });
  await node.provider.request({ method: "hardhat_setCode", params: [TARGET, CODE] });
  const failure = await node.provider
    .request({ method: "eth_call", params: [{ to: TARGET }, "latest"] })
    .then(undefined, (error: unknown) => error);
  await node.close();
  if (!(failure instanceof ProviderRpcError)) throw new Error("the call did not fail");
  return failure;
}

/** Writes the artifact of the contract, as a compiler would. */
function compile(folder: string): void {
  mkdirSync(join(folder, "B.sol"), { recursive: true });
  const abi = [{ type: "error", name: "Broken", inputs: [] }];
  const artifact = { contractName: "B", abi, bytecode: "0x6001", deployedBytecode: CODE };
  writeFileSync(join(folder, "B.sol/B.json"), JSON.stringify(artifact));
}

it("does not read the artifacts of a failed call before its message is read", async () => {
  const folder = join(await aFolder(), "artifacts");
  const failure = await failureOf(folder);
  compile(folder);
  expect(failure.message).toBe(MESSAGE);
});

it("has the message at the beginning of its stack, and where it is shown", async () => {
  const folder = join(await aFolder(), "artifacts");
  compile(folder);
  const failure = await failureOf(folder);
  expect(failure.stack).toMatch(new RegExp(`^Error: ${MESSAGE.replace(/[()]/g, "\\$&")}\\n {4}at `));
  expect(inspect(await failureOf(folder))).toContain(MESSAGE);
  expect(String(await failureOf(folder))).toBe(`ProviderRpcError: ${MESSAGE}`);
  expect(Object.keys(failure)).not.toContain("message");
});
