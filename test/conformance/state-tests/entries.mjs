// Parses files of state tests: entries, one JSON object a line, and the cases in each.
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliDecompressSync } from "node:zlib";

/**
 * Reads the `*.ndjson` and `*.ndjson.br` files below a folder, ascending by path, one after the other.
 *
 * @yields {{ file: string, line: string }} `file`: path below the folder without its ending
 * @throws {Error} for a file that cannot be read or decompressed
 */
export function* entryLines(dir) {
  const paths = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ndjson(\.br)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  for (const path of paths) {
    const bytes = readFileSync(path);
    const text = (path.endsWith(".br") ? brotliDecompressSync(bytes) : bytes).toString("utf8");
    const file = relative(dir, path).replace(/\.ndjson(\.br)?$/, "");
    for (const line of text.split("\n")) if (line !== "") yield { file, line };
  }
}

/**
 * The cases of an entry: one for each member of each `post.<network>`; none of an entry of blocks, which a folder may have beside
 * those of states.
 *
 * A name is unique among all files and has no whitespace. It ends with the network and the indexes of data, gas limit and
 * value: `berlin/stExample/add11/add11/Istanbul/d0g1v0`.
 */
export function casesOf(entry, file) {
  if (entry.blocks !== undefined) return [];
  return Object.entries(entry.post).flatMap(([network, posts]) =>
    posts.map((post) => {
      const { data, gas, value } = post.indexes;
      const name = `${file}/${entry.name}/${network}/d${data}g${gas}v${value}`.replaceAll(/\s/g, "_");
      return { name, network, post };
    }),
  );
}

/** Loops of ten million rounds: one takes EthereumJS minutes. They run with the whole suite. */
const NEVER_SAMPLED = /\/vmPerformance\/loopMul\//;

/**
 * True for about one case in `every`. The choice depends on the name alone (the first 32 bits of its SHA-256), so that it is
 * the same in every run, in every process and whatever other cases there are, and has a share of each file and network.
 */
export function isChosen(name, every) {
  if (every === 1) return true;
  return !NEVER_SAMPLED.test(name) && Number.parseInt(hash("sha256", name).slice(0, 8), 16) % every === 0;
}
