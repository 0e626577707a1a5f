import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readFileOf, writeFileOf } from "../../../src/cli/options/files.ts";
import { UnsupportedError } from "../../../src/errors/hindcast-error.ts";
import { aFolder } from "../../support/a-folder.ts";

it("reads what was written in pieces", async () => {
  const path = join(await aFolder(), "chain.rlp");
  await writeFileOf("--export", path, [Uint8Array.of(1, 2), Uint8Array.of(3)]);
  expect([...(await readFileOf("--import", path))]).toEqual([1, 2, 3]);
});

it("names flag, file and reason when a file cannot be read", async () => {
  const folder = await aFolder();
  await expect(readFileOf("--import", join(folder, "none"))).rejects.toMatchObject({
    code: "FILE_NOT_READABLE",
    message: `--import: cannot read ${join(folder, "none")}: there is no such file or folder.`,
  });
  await expect(readFileOf("--genesis", folder)).rejects.toThrow("it is a folder");
});

it("names flag, file and reason when a file cannot be written", async () => {
  const path = join(await aFolder(), "no", "such", "folder");
  await expect(writeFileOf("--export", path, [])).rejects.toMatchObject({
    code: "FILE_NOT_WRITABLE",
    message: `--export: cannot write ${path}: there is no such file or folder.`,
  });
});

it("says so where a part of the path is a file", async () => {
  const file = join(await aFolder(), "file");
  await writeFile(file, "");
  await expect(writeFileOf("--export", join(file, "chain.rlp"), [])).rejects.toMatchObject({
    code: "FILE_NOT_WRITABLE",
    message: `--export: cannot write ${join(file, "chain.rlp")}: a part of its path is not a folder.`,
  });
});

it("leaves the older file, and nothing else, when writing fails half way", async () => {
  const folder = await aFolder();
  const path = join(folder, "chain.rlp");
  await writeFile(path, "old");
  const failing = (async function* () {
    yield Uint8Array.of(1);
    throw new UnsupportedError({ code: "EXPORT_NOT_IMPORTABLE", what: "Not today." });
  })();
  await expect(writeFileOf("--export", path, failing)).rejects.toMatchObject({ code: "EXPORT_NOT_IMPORTABLE" });
  expect(await readFile(path, "utf8")).toBe("old");
  expect(await readdir(folder)).toEqual(["chain.rlp"]);
});
