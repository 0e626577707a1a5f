import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createNode, type HindcastNode } from "../../src/index.ts";
import { LastFailure } from "../../src/testing/last-failure.ts";
import { ALICE, addressText, aNode, BOB } from "../support/a-node.ts";

const VAULT = addressText(0x77);
const UNUSED = "0x00000000000000000000000000000000000000aa";

async function failedWith(artifacts: string | undefined): Promise<LastFailure> {
  const failures = new LastFailure(undefined, artifacts === undefined ? [] : [artifacts]);
  const node = await createNode({ onRequest: failures.onRequest, ...(artifacts === undefined ? {} : { artifacts }) });
  await node.setCode(UNUSED, "0x5f5ffd");
  await expect(node.provider.request({ method: "eth_call", params: [{ to: UNUSED }, "latest"] })).rejects.toThrow();
  await node.close();
  return failures;
}

it("names a folder of artifacts that does not exist, since a misspelled one explains nothing", async () => {
  const failures = await failedWith("no-such-folder");
  expect(await failures.text()).toBe(
    `The last request of this test that failed was eth_call. There are no artifacts to explain it: the folder ${resolve("no-such-folder")} does not exist.`,
  );
  failures.forget();
  expect(await failures.text()).toBeUndefined();
});

it("is silent without artifacts, and for a contract that those at hand do not have", async () => {
  expect(await (await failedWith(undefined)).text()).toBeUndefined();
  expect(await (await failedWith("test")).text()).toBeUndefined();
});

describe("a transaction that is mined and fails", () => {
  async function aMinedFailure() {
    const failures = new LastFailure(undefined);
    const node = await aNode();
    failures.watch(node);
    const send = (data: string, gas = "0x30000") =>
      node.provider.request({
        method: "eth_sendTransaction",
        params: [{ from: ALICE, to: VAULT, data, gas }],
      } as never);
    return { failures, node, send };
  }

  it("fails no request, and its stack is shown", async () => {
    const { failures, node, send } = await aMinedFailure();
    const { overflow } = await aKnownVault(node);
    const hash = await send(overflow);
    expect(await failures.text()).toMatch(
      new RegExp(`^The last transaction of this test that failed was ${hash}: panic: .*\n.*at Vault\\.overflow\\(`),
    );
    failures.forget();
    expect(await failures.text()).toBeUndefined();
  });

  it("is not shown where no source is known, or where one succeeded", async () => {
    const { failures, node, send } = await aMinedFailure();
    await node.setCode(VAULT, "0x5f5ffd");
    await send("0x");
    expect(await failures.text()).toBeUndefined();
    await aKnownVault(node);
    failures.forget();
    await node.provider.request({ method: "eth_sendTransaction", params: [{ from: ALICE, to: BOB }] });
    expect(await failures.text()).toBeUndefined();
  });
});

/** Vault of the fixtures at {@link VAULT}, whose source the node knows. */
async function aKnownVault(node: HindcastNode): Promise<{ readonly overflow: string }> {
  const file = new URL("../../fixtures/solidity-stacks/0.8.30-plain.json.br", import.meta.url);
  const { input, output } = JSON.parse(brotliDecompressSync(readFileSync(file)).toString("utf8"));
  const { evm } = output.contracts["src/Vault.sol"].Vault;
  node.abi.addBuild(input, output);
  await node.setCode(VAULT, `0x${evm.deployedBytecode.object.replace(/__.{38}/g, "0".repeat(40))}`);
  return { overflow: `0x${evm.methodIdentifiers["overflow(uint256)"]}${"f".repeat(64)}` };
}
