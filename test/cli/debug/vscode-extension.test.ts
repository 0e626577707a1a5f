/** The extension for VS Code: what it runs is a command line of Hindcast, and what is packed is a .vsix. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { expect, it } from "vitest";
import { parseDebugOptions } from "../../../src/cli/debug/debug-options.ts";
import { decodeData } from "../../../src/primitives/bytes/hex.ts";
import { aFolder } from "../../support/a-folder.ts";
import { projectFolder } from "../../support/build-once.ts";
import { slowIt } from "../../support/slow-suite.ts";

interface Configuration {
  readonly transaction?: string;
  readonly replay?: string;
  readonly [name: string]: unknown;
}

const EXTENSION = join(projectFolder, "extensions/vscode");
const HASH = `0x${"ab".repeat(32)}`;
const { commandOf } = createRequire(import.meta.url)(join(EXTENSION, "command.js")) as {
  commandOf: (configuration: Configuration, installed?: string) => string[];
};

it("every member of a launch configuration reaches the command", () => {
  const line = commandOf({
    transaction: HASH,
    rpcUrl: "http://10.0.0.1:1",
    artifacts: ["out", "artifacts"],
    sourceRoot: "/src",
  });
  expect(line.slice(0, 2)).toEqual(["hindcast", "debug"]);
  expect(parseDebugOptions(line.slice(2))).toEqual({
    target: { txHash: decodeData(HASH) },
    rpcUrl: "http://10.0.0.1:1",
    artifacts: ["out", "artifacts"],
    sourceRoot: "/src",
    port: undefined,
    saveReplay: undefined,
  });
  expect(commandOf({ replay: "a.replay" }, "/app/hindcast.js")).toEqual([
    "node",
    "/app/hindcast.js",
    "debug",
    "a.replay",
  ]);
  const { contributes } = JSON.parse(readFileSync(join(EXTENSION, "package.json"), "utf8")) as {
    contributes: { debuggers: [{ configurationAttributes: { launch: { properties: object } } }] };
  };
  const names = Object.keys(contributes.debuggers[0].configurationAttributes.launch.properties);
  expect(names.sort()).toEqual(
    ["transaction", "replay", "rpcUrl", "artifacts", "sourceRoot", "command", "stopOnEntry"].sort(),
  );
});

slowIt("the extension registers the debugger, and runs the project's own Hindcast where it is installed", async () => {
  const folder = await aFolder();
  mkdirSync(join(folder, "vscode"));
  writeFileSync(
    join(folder, "vscode/index.js"),
    `exports.DebugAdapterExecutable = class { constructor(...args) { this.args = args; } };
    exports.window = { showInputBox: async ({ validateInput }) => validateInput("0x1") && " ${HASH} " };
    exports.registered = {};
    exports.debug = {
      registerDebugConfigurationProvider: (type, provider) => { exports.registered.provider = [type, provider]; },
      registerDebugAdapterDescriptorFactory: (type, factory) => { exports.registered.factory = [type, factory]; },
    };`,
  );
  const program = `
    const { registered } = require("vscode");
    require(${JSON.stringify(join(EXTENSION, "extension.js"))}).activate({ subscriptions: [] });
    const { provider: [type, provider], factory: [, factory] } = registered;
    provider.resolveDebugConfiguration(undefined, {}).then((configuration) => {
      const workspaceFolder = { uri: { fsPath: ${JSON.stringify(folder)} } };
      const { args } = factory.createDebugAdapterDescriptor({ configuration, workspaceFolder });
      console.log(JSON.stringify([type, ...args]));
    });`;
  const run = (): unknown => {
    const { stdout, stderr } = spawnSync(process.execPath, ["-e", program], {
      encoding: "utf8",
      env: { ...process.env, NODE_PATH: folder },
    });
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  };
  expect(run()).toEqual(["hindcast", "hindcast", ["debug", HASH], { cwd: folder }]);
  const installed = join(folder, "node_modules/hindcast/dist/bundle");
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "hindcast.js"), "");
  expect(run()).toEqual(["hindcast", "node", [join(installed, "hindcast.js"), "debug", HASH], { cwd: folder }]);
});

it("npm run vsix packs it with both manifests and the version of Hindcast", () => {
  const { status } = spawnSync(process.execPath, [join(projectFolder, ".ci/vsix.mjs")]);
  expect(status).toBe(0);
  const files = unzipSync(new Uint8Array(readFileSync(join(projectFolder, "dist/hindcast-debugger.vsix"))));
  expect(Object.keys(files).sort()).toEqual([
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/LICENSE.txt",
    "extension/README.md",
    "extension/command.js",
    "extension/extension.js",
    "extension/package.json",
  ]);
  const { version } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as { version: string };
  const text = (name: string): string => strFromU8(files[name] ?? new Uint8Array(0));
  expect(JSON.parse(text("extension/package.json"))).toMatchObject({ version, main: "./extension.js" });
  expect(text("extension.vsixmanifest")).toContain(`Version="${version}" Publisher="hindcast"`);
});
