/** The packed extension, unpacked and loaded as VS Code does, debugs a transaction. Only VS Code's API is a stand-in. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { expect, it, onTestFinished } from "vitest";
import { lineOf, PATH, Shop } from "../debugger/shop.ts";
import { aFolder } from "../support/a-folder.ts";
import { buildOnce, cliPath, projectFolder } from "../support/build-once.ts";
import { anAdapter } from "./a-debugger.ts";

/** The part of VS Code's API that the extension uses. */
const API = `exports.DebugAdapterExecutable = class {
  constructor(program, args, options) { Object.assign(this, { program, args, options }); }
};
exports.debug = {
  registerDebugConfigurationProvider: (_type, provider) => { exports.provider = provider; },
  registerDebugAdapterDescriptorFactory: (_type, factory) => { exports.factory = factory; },
};`;

interface Stub {
  readonly provider: { resolveDebugConfiguration(folder: undefined, configuration: object): Promise<object> };
  readonly factory: {
    createDebugAdapterDescriptor(session: object): {
      readonly program: string;
      readonly args: readonly string[];
      readonly options: { readonly cwd: string };
    };
  };
}

/** Loads the entry point that the packed manifest names, and activates it. */
async function activate(folder: string): Promise<Stub> {
  const archive = new Uint8Array(readFileSync(join(projectFolder, "dist/hindcast-debugger.vsix")));
  const files = { ...unzipSync(archive), "node_modules/vscode/index.js": new TextEncoder().encode(API) };
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  const require = createRequire(join(folder, "extension/package.json"));
  const { main } = require("./package.json") as { main: string };
  (require(main) as { activate(context: object): void }).activate({ subscriptions: [] });
  return require("vscode") as Stub;
}

it("the packed extension starts an adapter that steps through a transaction", async () => {
  buildOnce();
  expect(spawnSync(process.execPath, [join(projectFolder, ".ci/vsix.mjs")]).status).toBe(0);
  const shop = await Shop.open();
  onTestFinished(() => shop.node.close());
  const { url } = await shop.node.listen({ port: 0 });
  const folder = await aFolder();
  const { provider, factory } = await activate(folder);
  const configuration = await provider.resolveDebugConfiguration(undefined, {
    ...{ transaction: await shop.call("buy", 5n, 1, "note"), rpcUrl: url },
    command: [process.execPath, cliPath],
  });
  const workspaceFolder = { uri: { fsPath: folder } };
  const { program, args, options } = factory.createDebugAdapterDescriptor({ configuration, workspaceFolder });
  const { client, finished } = anAdapter([program, ...args], options.cwd);
  const source = { path: join(folder, PATH) };
  expect(await client.start([{ source, breakpoints: [{ line: lineOf("count") }] }])).toBe("entry");
  expect(await client.go("continue")).toBe("breakpoint");
  expect(await client.go("stepBack")).toBe("step");
  const { stackFrames } = await client.ask<{ stackFrames: { line: number }[] }>("stackTrace", { threadId: 1 });
  expect(stackFrames[0]?.line).toBe(lineOf("count") - 1);
  await client.ask("disconnect");
  expect(await finished).toMatchObject({ code: 0, stderr: "" });
});
