/** Registers Hindcast's debugger: a process that speaks the Debug Adapter Protocol on its streams. */
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");
const { commandOf, isHash } = require("./command.js");

/** The command as npm installs it into a project. */
const INSTALLED = "node_modules/hindcast/dist/bundle/hindcast.js";

/** @param {import("vscode").ExtensionContext} context */
exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider("hindcast", { resolveDebugConfiguration: complete }),
    vscode.debug.registerDebugAdapterDescriptorFactory("hindcast", { createDebugAdapterDescriptor: describe }),
  );
};

/** Asks for the transaction where none is given; undefined ends the start. */
async function complete(_folder, configuration) {
  const given = { type: "hindcast", request: "launch", name: "Debug a transaction", ...configuration };
  if (given.transaction !== undefined || given.replay !== undefined) return given;
  const transaction = await vscode.window.showInputBox({
    title: "Hindcast",
    prompt: "Hash of the transaction to debug",
    validateInput: (text) => (isHash(text.trim()) ? undefined : "Expected 0x and 64 hex digits."),
  });
  return transaction === undefined ? undefined : { ...given, transaction: transaction.trim() };
}

function describe({ configuration, workspaceFolder }) {
  const folder = workspaceFolder?.uri.fsPath;
  const installed = folder === undefined ? undefined : join(folder, INSTALLED);
  const isInstalled = installed !== undefined && existsSync(installed);
  const [program, ...args] = commandOf(configuration, isInstalled ? installed : undefined);
  return new vscode.DebugAdapterExecutable(program, args, folder === undefined ? {} : { cwd: folder });
}
