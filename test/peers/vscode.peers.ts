/** The packed extension for VS Code, read and packed by the tool that publishes extensions, @vscode/vsce. */
import { spawnSync } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { expect, it } from "vitest";
import { projectFolder } from "../support/build-once.ts";
import { installPeers } from "../support/peers.mjs";

/** The part of the tool that is used. */
interface Vsce {
  /** @throws {Error} for a manifest that VS Code does not take */
  readVSIXPackage(path: string): Promise<{ readonly manifest: object; readonly xmlManifest: unknown }>;
}

const OURS = join(projectFolder, "dist/hindcast-debugger.vsix");
const namesOf = (archive: Uint8Array): readonly string[] =>
  Object.keys(unzipSync(archive))
    .map((name) => name.toLowerCase())
    .sort();

it("vsce takes both manifests, and packs the same files", async () => {
  expect(spawnSync(process.execPath, [join(projectFolder, ".ci/vsix.mjs")]).status).toBe(0);
  const { folder, remove } = await installPeers(["@vscode/vsce@3.9.2"]);
  try {
    const load = createRequire(join(folder, "package.json"));
    const vsce = load("@vscode/vsce/out/zip") as Vsce;
    const { manifest, xmlManifest } = await vsce.readVSIXPackage(OURS);
    expect(manifest).toMatchObject({ name: "hindcast-debugger", main: "./extension.js" });
    expect(xmlManifest).toMatchObject({
      PackageManifest: { Metadata: [{ Identity: [{ $: { Publisher: "hindcast" } }] }] },
    });
    const extension = join(folder, "extension");
    await cp(join(projectFolder, "extensions/vscode"), extension, { recursive: true });
    await cp(join(projectFolder, "LICENSE"), join(extension, "LICENSE"));
    const theirs = join(folder, "theirs.vsix");
    const flags = ["package", "--no-dependencies", "--allow-missing-repository", "--out", theirs];
    const command = join(folder, "node_modules/@vscode/vsce/vsce");
    const packed = spawnSync(process.execPath, [command, ...flags], { cwd: extension, encoding: "utf8" });
    expect([packed.status, packed.stderr]).toEqual([0, expect.not.stringContaining("ERROR")]);
    expect(namesOf(await readFile(OURS))).toEqual(namesOf(await readFile(theirs)));
  } finally {
    await remove();
  }
});
