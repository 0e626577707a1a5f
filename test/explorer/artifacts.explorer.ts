/** ABIs and artifacts that are given to the running node through the page, hostile ones too. */
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { assemble, deploying } from "../support/assembler.ts";
import { readMarket } from "./demo-chain.mjs";
import { type OpenPage, useExplorer } from "./explorer.ts";

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
const MARKUP = `<img src=x onerror=alert(1)><script>alert(2)</script>\u202egnp`;

/** A token of the market whose ABI the node does not know. */
async function buildUnknown(node: HindcastNode) {
  const [from] = (await node.provider.send("eth_accounts", [])) as string[];
  const deploy = async (data: string): Promise<string> => {
    const hash = await node.provider.send("eth_sendTransaction", [{ from, data, gas: "0x2dc6c0" }]);
    const receipt = (await node.provider.send("eth_getTransactionReceipt", [hash])) as { contractAddress: string };
    return receipt.contractAddress;
  };
  const contracts = Object.assign({}, ...Object.values(readMarket().output.contracts));
  const plain = await deploy(hex(deploying(assemble("7 0 MSTORE 32 0 RETURN"))));
  const worker = await deploy(`0x${contracts.Worker.evm.bytecode.object}`);
  const router = await deploy(`0x${contracts.Router.evm.bytecode.object}`);
  return { plain, worker, router, contracts };
}

const explorer = useExplorer(buildUnknown);

const fileOf = (name: string, value: unknown) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(typeof value === "string" ? value : JSON.stringify(value)),
});

/** Drops a file onto the middle of the page. */
async function drop(page: OpenPage["page"], name: string, text: string): Promise<void> {
  // By hand: the code runs in the page.
  const transfer = await page.evaluateHandle(
    `(() => { const t = new DataTransfer(); t.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)})); return t; })()`,
  );
  await page.dispatchEvent("main", "dragover", { dataTransfer: transfer });
  await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
}

describe.each([1280, 390])("at %i pixels", (width) => {
  it("an ABI is dropped onto an account's page, whose functions are there at once", async () => {
    const { page, visit, see, seeIn } = await explorer.open({ width });
    const name = `total${width}`;
    await visit(`#/address/${explorer.facts.plain}`);
    await seeIn("h1", /contract/);
    const abi = [
      { type: "function", name, stateMutability: "view", inputs: [], outputs: [{ type: "uint256", name: "" }] },
    ];
    await drop(page, `Plain${width}.json`, JSON.stringify(abi));
    await see(`Plain${width}.json: added Plain${width}.`);
    await seeIn("h1", new RegExp(`^Plain${width}\\s+contract`));
    await page.getByRole("tab", { name: "Functions 1" }).click();
    const form = page.locator("form.function", { has: page.getByRole("heading", { name }) });
    await seeIn(form.locator("output"), /^\s*7$/);
  });

  it("what is no ABI is refused in words, and nothing is added", async () => {
    const { page, visit, see } = await explorer.open({ width });
    await visit("#/node");
    await page
      .getByLabel(/choose files/)
      .setInputFiles([
        fileOf("text.json", "no json"),
        fileOf("number.json", "7"),
        fileOf("wrong.json", [{ type: "function" }]),
        fileOf(`${MARKUP}.json`, "{}"),
        fileOf("large.json", JSON.stringify([randomBytes(5_500_000).toString("base64")])),
      ]);
    await see("text.json: It is not JSON.");
    await see("number.json: It is neither an ABI nor an artifact nor a build.");
    await see(/^wrong\.json: .*name/);
    await see(/^large\.json: It has more than 5 MB, compressed\. Start the node with --artifacts/);
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.locator("main").innerText()).not.toMatch(/\u202e/);
  });
});

it("an artifact is recognized by its code, wherever it was deployed", async () => {
  const { page, visit, see, seeIn } = await explorer.open();
  const { worker, contracts } = explorer.facts;
  const { abi, evm } = contracts.Worker;
  await visit("#/node");
  const artifact = {
    contractName: "Worker",
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
  };
  await page.getByLabel(/choose files/).setInputFiles(fileOf("Worker.json", artifact));
  await see("Worker.json: added Worker.");
  await visit(`#/address/${worker}`);
  await seeIn("h1", /^Worker\s+contract/);
});

it("a build of the size of OpenZeppelin's names what was deployed from it", async () => {
  const { page, visit, see, seeIn } = await explorer.open();
  const { router } = explorer.facts;
  const build = readMarket();
  const names = Array.from({ length: 500 }, (_, index) => `Contract${index}`);
  const abiOf = (name: string) =>
    Array.from({ length: 80 }, (_, at) => ({
      ...{ type: "function", name: `${name}Function${at}`, stateMutability: "view" },
      inputs: [{ name: "account", type: "address", internalType: "address" }],
      outputs: [{ name: "", type: "uint256", internalType: "uint256" }],
    }));
  for (const [index, name] of names.entries()) {
    const object = `60${index.toString(16).padStart(4, "0")}5000`;
    const devdoc = { details: `The documentation of ${name}. `.repeat(700) };
    build.output.contracts[`${name}.sol`] = {
      [name]: { abi: abiOf(name), devdoc, evm: { deployedBytecode: { object } } },
    };
  }
  const text = JSON.stringify(build);
  expect(text.length).toBeGreaterThan(18_000_000);
  await visit(`#/address/${router}`);
  await seeIn("h1", /contract/);
  await drop(page, "build-info.json", text);
  await see(/^build-info\.json: added /);
  await seeIn("h1", /^Router\s+contract/);
});

it("names of functions, parameters and contracts in an ABI are text", async () => {
  const { page, visit, see, axe } = await explorer.open();
  const { plain } = explorer.facts;
  await visit(`#/address/${plain}`);
  const inputs = [{ type: "uint256", name: MARKUP }];
  await drop(page, `${MARKUP}.json`, JSON.stringify([{ type: "function", name: MARKUP, inputs, outputs: [] }]));
  await see(/: added </);
  await page.getByRole("tab", { name: /^Functions/ }).click();
  await see(/<img src=x onerror=alert\(1\)>.*⟨U\+202E⟩gnp/);
  expect(await page.locator("body img, main script").count()).toBe(0);
  expect(await axe()).toEqual([]);
});

it("a read-only explorer takes none, and neither does its server", async () => {
  const node = await createNode({ hardfork: "cancun" });
  const { url } = await node.listen({ port: 0, explorer: "read-only" });
  const page = await explorer.bare();
  await page.goto(`${url}/#/node`);
  await page.locator("h1", { hasText: "read-only explorer" }).waitFor();
  expect(await page.locator("input[type=file]").count()).toBe(0);
  await drop(page, "Plain.json", "[]");
  await page.getByText("This node's explorer is read-only: no artifact is added.").waitFor();
  const reply = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "hindcast_addArtifact", params: [[]] }),
  });
  expect(await reply.json()).toMatchObject({ error: { code: -32004, message: expect.stringMatching(/read-only/) } });
  await page.close();
  await node.close();
});
