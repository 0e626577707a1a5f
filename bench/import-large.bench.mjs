// Importing 10,000 blocks with 100,000 transactions into a folder, in a process of its own: speed, size, memory.
//
// Making them takes minutes: the file is kept among the system's temporary files, under a name that changes with what it
// is made from. HINDCAST_BENCH_BLOCKS sets how many blocks.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const name = "import of 10,000 blocks, 100,000 transactions";

/** Parameters of the generated chain. */
const SOURCES = ["./import-large-maker.mjs", "./chains.mjs", "./peers/contracts.json"];
const MAKER = fileURLToPath(new URL("./import-large-maker.mjs", import.meta.url));
const WORKER = fileURLToPath(new URL("./import-large-worker.mjs", import.meta.url));

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "hindcast-bench-"));
  try {
    const data = join(folder, "data");
    const { ms, cpuMs, blocks, transactions, gas, peakMegabytes } = JSON.parse(run(WORKER, chainFile(), data));
    const perSecond = (count) => Math.round(count / (ms / 1000)).toLocaleString("en");
    const note = [
      `${perSecond(blocks)} blocks/s`,
      `${perSecond(transactions)} transactions/s`,
      `${perSecond(gas / 1e6)} Mgas/s`,
      `${Math.round(bytesBelow(data) / transactions)} bytes on disk per transaction`,
      `peak RSS ${peakMegabytes} MB`,
      `${(cpuMs / 1000).toFixed(1)} s of processor time`,
    ].join(", ");
    const rounded = Math.round(ms);
    return { "into a folder": { runs: 1, medianMs: rounded, p95Ms: rounded, minMs: rounded, note } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function chainFile() {
  const hash = createHash("sha256").update(process.env.HINDCAST_BENCH_BLOCKS ?? "");
  for (const name of SOURCES) hash.update(readFileSync(new URL(name, import.meta.url)));
  const folder = join(tmpdir(), "hindcast-bench-chains");
  const file = join(folder, `${hash.digest("hex").slice(0, 16)}.rlp`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  console.error("making the chain: some minutes, once");
  run(MAKER, file);
  return file;
}

function run(...words) {
  return execFileSync(process.execPath, words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}
