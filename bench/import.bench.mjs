// Importing blocks: the recorded real chain where it is at hand, and a generated chain of transfers.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createNode } from "../dist/index.js";
import { aNode } from "./chains.mjs";
import { measure } from "./measure.mjs";

const CONFORMANCE =
  process.env.HINDCAST_CONFORMANCE ?? fileURLToPath(new URL("../../shared/conformance", import.meta.url));
const BLOCKS = 100;
const TRANSFERS = 20;

export const name = "import";

export async function rows() {
  const result = {};
  const folder = join(CONFORMANCE, "rpc-compat");
  if (existsSync(join(folder, "chain.rlp"))) {
    const genesis = JSON.parse(readFileSync(join(folder, "genesis.json"), "utf8"));
    const file = readFileSync(join(folder, "chain.rlp"));
    result["chain.rlp, 54 blocks, 249 transactions"] = await measure(importing({ genesis }, file), {
      runs: 20,
      warmUp: 3,
    });
  }
  const { file, options } = await transferChain();
  const label = `${BLOCKS} blocks of ${TRANSFERS} transfers`;
  result[label] = await measure(importing(options, file), { runs: 5, warmUp: 1 });
  return result;
}

const importing = (options, file) => async () => {
  const node = await createNode(options);
  await node.importChain(file);
  await node.close();
};

async function transferChain() {
  const options = { timestamp: 1_700_000_000n };
  const { node, ask, from, to } = await aNode({ ...options, mining: "manual" });
  for (let block = 0; block < BLOCKS; block++) {
    for (let index = 0; index < TRANSFERS; index++)
      await ask("eth_sendTransaction", { from, to, value: "0x1", gas: "0x5208" });
    await node.mine();
  }
  const file = Buffer.concat([...node.exportChain()]);
  await node.close();
  return { file, options };
}
