/** A project of fixtures/projects/ in a temporary folder, with packages from npm, and a node that it is run against. */
import { execFile } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { openNode } from "../support/a-node.ts";
import { installPeers } from "../support/peers.mjs";

const run = promisify(execFile);

/** Account 0 of the mnemonic that everybody uses. */
export const ALICE_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

export interface Project {
  readonly folder: string;
  readonly node: HindcastNode;
  readonly url: string;
  /** Output of a program run in the folder. @throws {Error} with its output when it fails */
  run(command: string, ...flags: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/**
 * Copies a project and installs its packages.
 *
 * @param name - its folder under fixtures/projects/
 */
export async function openProject(name: string, packages: readonly string[]): Promise<Project> {
  const { folder, remove } = await installPeers([...packages]);
  await cp(fileURLToPath(new URL(`../../fixtures/projects/${name}`, import.meta.url)), folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const node = await openNode();
  const { port } = await node.listen({ port: 0 });
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, HINDCAST_URL: url, HARDHAT_DISABLE_TELEMETRY_PROMPT: "true", FORCE_COLOR: "0" };
  return {
    folder,
    node,
    url,
    run: async (command, ...flags) => {
      const { stdout, stderr } = await run(command, flags, { cwd: folder, env }).catch((error: unknown) => {
        const { stdout: told, stderr: complained } = error as { stdout: string; stderr: string };
        throw new Error(`${command} ${flags.join(" ")} failed:\n${told}\n${complained}`);
      });
      return stdout + stderr;
    },
    close: async () => {
      await node.close();
      await remove();
    },
  };
}
