/** The command line of a launch configuration. */

/** True for 0x and 64 hex digits. */
const isHash = (text) => /^0x[0-9a-f]{64}$/i.test(text);

/**
 * @param {{ transaction?: string, replay?: string, rpcUrl?: string, artifacts?: string[], sourceRoot?: string, command?: string[] }} configuration
 * @param {string | undefined} installed - path of the script in the project, if there is one
 * @returns {string[]} the program and its arguments
 */
function commandOf({ transaction, replay, rpcUrl, artifacts = [], sourceRoot, command }, installed) {
  const program = command ?? (installed === undefined ? ["hindcast"] : ["node", installed]);
  return [
    ...program,
    ...["debug", transaction ?? replay ?? ""],
    ...(rpcUrl === undefined ? [] : ["--rpc-url", rpcUrl]),
    ...artifacts.flatMap((folder) => ["--artifacts", folder]),
    ...(sourceRoot === undefined ? [] : ["--source-root", sourceRoot]),
  ];
}

module.exports = { commandOf, isHash };
