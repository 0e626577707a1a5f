import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { aFolder } from "../support/a-folder.ts";
import { aNodeRun } from "./a-run.ts";

const FIXTURE = new URL("../../fixtures/solidity-coverage/0.8.30-plain.json.br", import.meta.url);

interface BuildInfo {
  readonly output: {
    readonly contracts: Readonly<
      Record<string, Readonly<Record<string, { abi: unknown; evm: { bytecode: { object: string } } }>>>
    >;
  };
}

it("--coverage writes an lcov tracefile of what clients ran over HTTP", async () => {
  const folder = await aFolder();
  const build = JSON.parse(brotliDecompressSync(await readFile(FIXTURE)).toString("utf8")) as BuildInfo;
  const { abi, evm } = build.output.contracts["src/Counter.sol"]?.Counter ?? {};
  await mkdir(join(folder, "out", "build-info"), { recursive: true });
  await writeFile(join(folder, "out", "build-info", "build.json"), JSON.stringify(build));
  await writeFile(
    join(folder, "out", "Counter.json"),
    JSON.stringify({ abi, bytecode: { object: `0x${evm?.bytecode.object}` } }),
  );
  const path = join(folder, "lcov.info");
  const node = await aNodeRun(["--artifacts", join(folder, "out"), "--coverage", path]);
  const [from] = (await node.ask("eth_accounts")) as readonly Hex[];
  const data = `0x${evm?.bytecode.object}${"5".padStart(64, "0")}`;
  await node.ask("eth_sendTransaction", { from, data, gas: "0x4c4b40" });
  await node.stop();
  const lcov = await readFile(path, "utf8");
  expect(lcov).toContain("SF:src/Counter.sol\n");
  expect(lcov).toMatch(/^FNDA:1,Counter\.constructor$/m);
  expect(lcov).toMatch(/^FNDA:0,Counter\.never$/m);
});
