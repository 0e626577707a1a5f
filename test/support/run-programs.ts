/** Runs the programs of pages and of examples, as a project would that has the package installed. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { aFolder } from "./a-folder.ts";
import { projectFolder } from "./build-once.ts";

const run = promisify(execFile);
const runner = fileURLToPath(new URL("run-programs.mjs", import.meta.url));

export interface Outcome {
  readonly output: string;
  /** Stack of what it threw. */
  readonly error?: string;
}

export interface Project {
  readonly program: string;
  /** Contents of other files, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Runs programs one after the other, in a process that they share.
 *
 * @throws {Error} if one of them writes to standard error
 */
export async function runFiles(paths: readonly string[]): Promise<readonly Outcome[]> {
  const { stdout, stderr } = await run(process.execPath, [runner, ...paths]);
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout) as Outcome[];
}

/** As {@link runFiles}, of programs given as texts, each in a folder of its own within a project. */
export async function runProjects(projects: readonly Project[]): Promise<readonly Outcome[]> {
  const root = await mkdtemp(join(tmpdir(), "hindcast-programs-"));
  try {
    await installIn(root);
    const writing = projects.map(async ({ program, files = {} }, index) => {
      const folder = join(root, String(index));
      for (const [name, text] of Object.entries({ ...files, "example.mjs": program })) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
      return join(folder, "example.mjs");
    });
    return await runFiles(await Promise.all(writing));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** A project that has the package, and is gone after the test. */
export async function aProject(): Promise<string> {
  const folder = await aFolder();
  await installIn(folder);
  return folder;
}

/** Installs the package as a link. */
async function installIn(folder: string): Promise<void> {
  await mkdir(join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "private": true }');
  await symlink(projectFolder, join(folder, "node_modules", "hindcast"));
}
