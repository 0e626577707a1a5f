// Mining: by transaction, a full block, empty blocks, and what a snapshot costs around a transaction.
import { aNode } from "./chains.mjs";
import { measure } from "./measure.mjs";

export const name = "mining";

const TRANSFERS = 500;
const EMPTY_BLOCKS = 10_000;

export async function rows() {
  const { node, ask, from, to } = await aNode({ gasLimit: 60_000_000n });
  const transfer = () => ask("eth_sendTransaction", { from, to, value: "0x1", gas: "0x5208" });
  const result = {
    "automine transfer": await measure(transfer, { runs: 200, warmUp: 50 }),
    "snapshot, transfer, revert": await measure(
      async () => {
        const id = await ask("evm_snapshot");
        await transfer();
        await ask("evm_revert", id);
      },
      { runs: 100, warmUp: 20 },
    ),
  };
  await ask("evm_setAutomine", false);
  const full = [];
  for (let run = 0; run < 12; run++) {
    for (let count = 0; count < TRANSFERS; count++) await transfer();
    full.push(await measure(() => ask("evm_mine"), { runs: 1, warmUp: 0 }));
  }
  result[`block of ${TRANSFERS} transfers`] = middle(full.slice(2));
  result["trace_block of it"] = await measure(() => ask("trace_block", "latest"), { runs: 30, warmUp: 5 });
  await node.close();
  result[`mine ${EMPTY_BLOCKS.toLocaleString("en")} empty blocks`] = await measure(mineEmpty, { runs: 3, warmUp: 1 });
  return result;
}

async function mineEmpty() {
  const { node, ask } = await aNode();
  await ask("hardhat_mine", `0x${EMPTY_BLOCKS.toString(16)}`);
  await node.close();
}

/** Of runs that were prepared one by one. */
function middle(runs) {
  const times = runs.map(({ medianMs }) => medianMs).sort((left, right) => left - right);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { runs: times.length, medianMs: at(0.5), p95Ms: at(0.95), minMs: times[0] };
}
