/** The option `artifacts`, and explanations as values and as JSON. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { artifactFolder } from "../../src/explain/abi/artifact-folder.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import type { ProviderRpcError } from "../../src/rpc/provider.ts";
import { Corpus, readBuildFile } from "../explain/stack/corpus.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, openNode } from "../support/a-node.ts";
import { slowIt } from "../support/slow-suite.ts";

it("takes names and sources from folders that are written after the node was made", async () => {
  const corpus = await Corpus.open("0.8.30-plain");
  const folder = await aFolder();
  const node = await openNode({ artifacts: [join(folder, "none"), join(folder, "artifacts")] });
  const code = await corpus.node.getCode(decodeData(corpus.vault));
  await node.provider.request({
    method: "anvil_setCode",
    params: [corpus.vault, `0x${Buffer.from(code).toString("hex")}`],
  });
  const call = {
    from: decodeData(ALICE),
    to: decodeData(corpus.vault),
    data: decodeData(corpus.data("overflow", [2n ** 256n - 1n])),
  };
  expect((await node.solidityStack({ call }))?.frames.map(({ contract }) => contract)).toEqual([undefined]);
  await mkdir(join(folder, "artifacts", "build-info"), { recursive: true });
  await writeFile(join(folder, "artifacts", "build-info", "one.json"), JSON.stringify(readBuildFile("0.8.30-plain")));
  expect((await node.solidityStack({ call }))?.frames.map(({ contract }) => contract)).toContain("Vault");
  await node.close();
});

slowIt("reads a folder for a failed request when the stack trace or a name in its error is read", async () => {
  const corpus = await Corpus.open("0.8.30-plain");
  const folder = await aFolder();
  await mkdir(join(folder, "build-info"));
  const build = readBuildFile("0.8.30-plain");
  await writeFile(join(folder, "build-info", "one.json"), JSON.stringify(build));
  const node = await openNode({ artifacts: folder });
  const code = await corpus.node.getCode(decodeData(corpus.vault));
  await node.provider.request({ method: "anvil_setCode", params: [corpus.vault, encodeData(code)] });
  const request = { to: corpus.vault, data: corpus.data("overflow", [2n ** 256n - 1n]) };
  const failure = async (): Promise<ProviderRpcError> =>
    node.provider.send("eth_call", [request]).then(
      () => expect.fail("it succeeded"),
      (error: ProviderRpcError) => error,
    );
  const error = await failure();
  expect([error.code, error.message, error.contract]).toEqual([3, expect.stringContaining("reverted"), corpus.vault]);
  expect(artifactFolder(folder).artifacts).toEqual([]);
  expect(error.solidityStack).toContain("Vault.overflow");
  expect(artifactFolder(folder).artifacts.map(({ name }) => name)).toContain("Vault");
  expect((await failure()).contractName).toBe("Vault");
  await node.close();
});

it("writes stacks and changes as JSON, though a source refers to its functions and they to it", async () => {
  const corpus = await Corpus.open("0.8.30-plain");
  const hash = (await corpus.send({ data: corpus.data("overflow", [2n ** 256n - 1n]) })) as Hex;
  const request = (method: string): Promise<unknown> => corpus.node.provider.send(method, [hash]);
  const stack = await corpus.node.solidityStack(hash);
  expect(JSON.parse(JSON.stringify(stack))).toEqual(await request("hindcast_explainTransaction"));
  expect(JSON.parse(JSON.stringify(await corpus.node.explain(hash)))).toEqual(await request("hindcast_stateChanges"));
  await corpus.node.close();
});
