/** A node on either engine: what is run is the same, and which one runs is told. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ENGINE_NAMES } from "../../src/evm/engine.ts";
import { createNode } from "../../src/index.ts";
import { ALICE, aNode, BOB } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { buildOnce } from "../support/build-once.ts";
import { deploy } from "../support/contracts.ts";
import { slowIt } from "../support/slow-suite.ts";

describe("the option engine", () => {
  it("is wasm by default", async () => {
    const node = await aNode();
    expect(node.engine).toBe("wasm");
  });

  it.each(ENGINE_NAMES)("chooses %s, which web3_clientVersion names", async (engine) => {
    const node = await aNode({ engine });
    expect(node.engine).toBe(engine);
    expect(await node.provider.request({ method: "web3_clientVersion" })).toMatch(
      new RegExp(`^anvil/hindcast/v[\\d.]+/${engine}$`),
    );
  });

  it("refuses an engine that there is not", async () => {
    const options = { engine: "revm" } as unknown as Parameters<typeof createNode>[0];
    await expect(createNode(options)).rejects.toThrow(/engine.*wasm.*ethereumjs/s);
  });

  it("is handed on to branches", async () => {
    const node = await aNode({ engine: "ethereumjs" });
    await using branch = await node.branch();
    expect(branch.engine).toBe("ethereumjs");
  });
});

describe("either engine", () => {
  it("gives the same blocks, receipts and traces", async () => {
    const answers = await Promise.all(
      ENGINE_NAMES.map(async (engine) => {
        const node = await aNode({ engine });
        const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
        const counter = await deploy(node, assemble("0 SLOAD 1 ADD DUP1 0 SSTORE 0 MSTORE 32 0 LOG0 32 0 RETURN"));
        const hash = await ask("eth_sendTransaction", { from: ALICE, to: counter, gas: "0x186a0" });
        return [
          await ask("eth_getBlockByNumber", "latest", true),
          await ask("eth_getTransactionReceipt", hash),
          await ask("trace_replayTransaction", hash, ["trace", "vmTrace", "stateDiff"]),
          await ask("debug_traceTransaction", hash),
          await ask("eth_call", { from: BOB, to: counter }, "latest"),
          await ask("eth_estimateGas", { from: BOB, to: counter }),
        ];
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  });
});

slowIt("EthereumJS' EVM is not loaded unless it is asked for", () => {
  buildOnce();
  const hook = `
    import { writeSync } from "node:fs";
    export const load = (url, context, next) => (writeSync(2, url + "\\n"), next(url, context));
  `;
  const script = `
    import { writeSync } from "node:fs";
    import { register } from "node:module";
    register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hook)}));
    const { createNode } = await import(${JSON.stringify(new URL("../../dist/bundle/index.js", import.meta.url).href)});
    const plain = await createNode();
    await plain.mine();
    await plain.close();
    writeSync(2, "then\\n");
    await (await createNode({ engine: "ethereumjs" })).close();
  `;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  const [before = "", after = ""] = stderr.split("then\n");
  expect([status, before.includes("dist/bundle/index.js")]).toEqual([0, true]);
  expect([before, after].map((loaded) => loaded.split("\n").some(holdsTheirs))).toEqual([false, true]);
});

/** True for a module of the bundle that has code of EthereumJS' EVM in it: the bundler names each file that it took. */
function holdsTheirs(url: string): boolean {
  return url.includes("/dist/bundle/") && readFileSync(new URL(url), "utf8").includes("node_modules/@ethereumjs/evm/");
}
