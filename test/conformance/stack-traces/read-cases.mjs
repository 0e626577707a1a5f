// The cases of a folder: a JSON object a line, compressed with Brotli or not.
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

export function readCases(path) {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".br") ? brotliDecompressSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}
