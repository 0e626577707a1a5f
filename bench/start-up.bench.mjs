// How long until the first answer: in process, and as a command over HTTP.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createNode } from "../dist/index.js";
import { measure } from "./measure.mjs";

const CLI = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

export const name = "start-up";

export async function rows() {
  return {
    "createNode()": await measure(inProcess(false)),
    "createNode() and first eth_call": await measure(inProcess(true)),
    "node -e 0 (for comparison)": await measure(emptyProcess, { runs: 10, warmUp: 2 }),
    "hindcast to first HTTP answer": await measure(commandLine, { runs: 10, warmUp: 2 }),
  };
}

const inProcess = (withCall) => async () => {
  const node = await createNode();
  if (withCall) await node.provider.request({ method: "eth_call", params: [{ to: `0x${"11".repeat(20)}` }, "latest"] });
  await node.close();
};

async function emptyProcess() {
  await once(spawn(process.execPath, ["-e", "0"]), "exit");
}

async function commandLine() {
  const child = spawn(process.execPath, [CLI, "--port", "0"]);
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += chunk;
    const match = /Listening on (\S+)/.exec(printed);
    if (match === null) continue;
    const response = await fetch(`http://${match[1]}/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    });
    await response.text();
    break;
  }
  child.kill("SIGKILL");
  await once(child, "exit");
}
