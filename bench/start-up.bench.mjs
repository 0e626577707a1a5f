// How long until the first answer: in process, and as a command over HTTP. Of what users run, the bundle.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createNode } from "../dist/bundle/index.js";
import { measure, summary } from "./measure.mjs";

const CLI = fileURLToPath(new URL("../dist/bundle/hindcast.js", import.meta.url));
const LIBRARY = new URL("../dist/bundle/index.js", import.meta.url).href;
const RUNS = 15;

export const name = "start-up";

export async function rows() {
  const empty = [];
  const command = [];
  const imported = [];
  for (let run = -2; run < RUNS; run++) {
    // Two runs more: the first start keeps for the next ones what was compiled for it.
    const times = [await timed(emptyProcess), await timed(commandLine), importToFirstCall()];
    if (run < 0) continue;
    for (const [index, list] of [empty, command, imported].entries()) list.push(times[index]);
  }
  const target = 1.5 * summary(empty).medianMs + 100;
  return {
    "createNode()": await measure(inProcess(false)),
    "createNode() and first eth_call": await measure(inProcess(true)),
    "import to first eth_call, fresh process": summary(imported),
    "node -e 0 (for comparison)": summary(empty),
    "hindcast to first HTTP answer": {
      ...summary(command),
      note: `the aim is 1.5 times node -e 0 and 100 ms: ${Math.round(target)}`,
    },
  };
}

async function timed(task) {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

const inProcess = (withCall) => async () => {
  const node = await createNode();
  if (withCall) await node.provider.request({ method: "eth_call", params: [{ to: `0x${"11".repeat(20)}` }, "latest"] });
  await node.close();
};

function importToFirstCall() {
  const program = `const start = performance.now();
    const { createNode } = await import(${JSON.stringify(LIBRARY)});
    const node = await createNode();
    await node.provider.request({ method: "eth_call", params: [{ to: "0x" + "11".repeat(20) }, "latest"] });
    console.log(performance.now() - start);
    process.exit(0);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }));
}

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
