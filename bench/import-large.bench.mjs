// Importing 10,000 blocks with 100,000 transactions into a folder, in a process of its own: speed, size, memory.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const name = "import of 10,000 blocks, 100,000 transactions";

const WORKER = fileURLToPath(new URL("./import-large-worker.mjs", import.meta.url));

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "hindcast-bench-"));
  try {
    const file = join(folder, "chain.rlp");
    run("make", file);
    const data = join(folder, "data");
    const { ms, blocks, transactions, gas, peakMegabytes } = JSON.parse(run("import", file, data));
    const perSecond = (count) => Math.round(count / (ms / 1000)).toLocaleString("en");
    const note = [
      `${perSecond(blocks)} blocks/s`,
      `${perSecond(transactions)} transactions/s`,
      `${perSecond(gas / 1e6)} Mgas/s`,
      `${Math.round(bytesBelow(data) / transactions)} bytes on disk per transaction`,
      `peak RSS ${peakMegabytes} MB`,
    ].join(", ");
    const rounded = Math.round(ms);
    return { "into a folder": { runs: 1, medianMs: rounded, p95Ms: rounded, minMs: rounded, note } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(...words) {
  return execFileSync(process.execPath, [WORKER, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}
