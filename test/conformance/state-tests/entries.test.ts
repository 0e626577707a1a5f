import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { aFolder } from "../../support/a-folder.ts";
import { casesOf, entryLines, isChosen } from "./entries.mjs";

describe("entryLines", () => {
  it("reads the lines of all files, compressed or not, in the order of their paths", async () => {
    const dir = await aFolder();
    await mkdir(join(dir, "sub"));
    await writeFile(join(dir, "b.ndjson.br"), brotliCompressSync("one\ntwo"));
    await writeFile(join(dir, "sub", "c.ndjson"), "four\n");
    await writeFile(join(dir, "b.ndjson"), "three\n\n");
    await writeFile(join(dir, "README.md"), "text\n");
    expect([...entryLines(dir)]).toEqual([
      { file: "b", line: "three" },
      { file: "b", line: "one" },
      { file: "b", line: "two" },
      { file: "sub/c", line: "four" },
    ]);
  });

  it("throws for a file that cannot be decompressed", async () => {
    const dir = await aFolder();
    await writeFile(join(dir, "a.ndjson.br"), "not compressed");
    expect(() => [...entryLines(dir)]).toThrow("Decompression failed");
  });
});

describe("casesOf", () => {
  it("gives none for an entry of blocks", () => {
    expect(casesOf({ name: "a", blocks: [], lastblockhash: "0x" }, "file")).toEqual([]);
  });

  it("gives a case for each result on each network, with a name without whitespace", () => {
    const at = (data: number, gas: number, value: number) => ({ indexes: { data, gas, value } });
    const entry = { name: "a b/c", post: { London: [at(0, 0, 0), at(10, 2, 1)], Paris: [at(0, 0, 0)] } };
    expect(casesOf(entry, "file")).toEqual([
      { name: "file/a_b/c/London/d0g0v0", network: "London", post: at(0, 0, 0) },
      { name: "file/a_b/c/London/d10g2v1", network: "London", post: at(10, 2, 1) },
      { name: "file/a_b/c/Paris/d0g0v0", network: "Paris", post: at(0, 0, 0) },
    ]);
  });
});

describe("isChosen", () => {
  const names = (network: string) =>
    Array.from({ length: 2_000 }, (_, index) => `file/add${index >> 5}/${network}/d${index & 31}g0v0`);

  it("chooses all where every case is wanted", () => {
    expect(names("Paris").every((name) => isChosen(name, 1))).toBe(true);
  });

  it.each(["Frontier", "Istanbul", "Cancun"])("chooses about a tenth where every tenth is wanted (%s)", (network) => {
    const chosen = names(network).filter((name) => isChosen(name, 10));
    expect(chosen.length).toBeGreaterThan(150);
    expect(chosen.length).toBeLessThan(250);
    // Of most tests some case, not all cases of some tests.
    expect(new Set(chosen.map((name) => name.split("/")[1])).size).toBeGreaterThan(50);
  });

  it("chooses the longest loops with all others only", () => {
    const loops = names("VMTests/vmPerformance/loopMul");
    expect(loops.filter((name) => isChosen(name, 2))).toEqual([]);
    expect(loops.every((name) => isChosen(name, 1))).toBe(true);
  });

  it("chooses the same cases every time", () => {
    // SHA-256 of "abc" begins with ba7816bf (FIPS 180-4): 3,128,432,319, which is divisible by 9.
    expect([2, 3, 5, 9, 10].map((every) => isChosen("abc", every))).toEqual([false, true, false, true, false]);
  });
});
