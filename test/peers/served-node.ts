/** A node of npm as a server whose chain begins again for each question. It is one process, which a signal ends. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startPeer } from "../support/peers.mjs";
import { hardhatProgram } from "./hardhat.ts";

/** Nodes that can be served. */
export type Served = "hardhat 2" | "hardhat 3" | "ganache";

/** Makes a provider of a new chain, for each POST to /new. Hardhat 2 resets its only one. */
const CREATING: Readonly<Record<Served, string>> = {
  "hardhat 3": `import { createServer } from "node:http";
import hre from "hardhat";
const create = async () => (await hre.network.create()).provider;
`,
  "hardhat 2": `const { createServer } = require("node:http");
const { network } = require("hardhat");
const create = async () => {
  await network.provider.send("hardhat_reset", []);
  return network.provider;
};
`,
  ganache: `const { createServer } = require("node:http");
const ganache = require("ganache");
const create = async () => ganache.provider({
  chain: { chainId: 31337 },
  wallet: { mnemonic: "test test test test test test test test test test test junk", defaultBalance: 10000 },
  miner: { blockGasLimit: 30000000 },
  logging: { quiet: true },
});
`,
};
const ANSWERING = `process.on("unhandledRejection", () => undefined);
let provider;
const answer = async (url, body) => {
  if (url === "/new") {
    provider = await create();
    return {};
  }
  try {
    return { result: await provider.request(JSON.parse(body)) };
  } catch ({ code, message, data }) {
    return { error: { code, message, data } };
  }
};
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (text) => { body += text; });
  request.on("end", async () => response.end(JSON.stringify(await answer(request.url, body))));
});
server.listen(0, "127.0.0.1", () => console.log("server at http://127.0.0.1:" + server.address().port));
`;

/**
 * Starts a node in a project of its own. Node runs the script itself: under `hardhat run` Hardhat 2 starts a second
 * process, which a signal to the first one does not end.
 *
 * @param modules - folder in which the node is installed
 */
export async function startServed(name: Served, modules: string): Promise<Awaited<ReturnType<typeof startPeer>>> {
  const folder = join(modules, name.replace(" ", "-"));
  await mkdir(folder);
  const isModule = name === "hardhat 3";
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, ...(isModule && { type: "module" }) }));
  const config = `${isModule ? "export default" : "module.exports ="} { solidity: "0.8.28" };\n`;
  await writeFile(join(folder, "hardhat.config.js"), config);
  await writeFile(join(folder, "serve.js"), `${CREATING[name]}${ANSWERING}`);
  await symlink(join(modules, "node_modules"), join(folder, "node_modules"));
  const [command] = isModule ? hardhatProgram(3, folder) : [process.execPath];
  return startPeer(command, [join(folder, "serve.js")], folder);
}
