// Builds what modules need beside themselves when they run from their sources, into build/: the program of threads, since a
// thread is started with a file that Node can read, and the explorer. The bundle has both beside itself: see bundle.mjs.
import { isAbsolute, join } from "node:path";
import { rolldown } from "rolldown";
import { writeExplorer } from "./explorer.mjs";
import { writeFolder } from "./write-files.mjs";

/** @param {string} root - folder of the project */
export async function buildFiles(root) {
  const target = join(root, "build");
  await writeWorker(root, target);
  await writeExplorer(root, join(target, "explorer"));
}

async function writeWorker(root, target) {
  const build = await rolldown({
    input: { worker: join(root, "src/node/worker.ts") },
    platform: "node",
    // Packages stay where they are.
    external: (id) => !(id.startsWith(".") || isAbsolute(id)),
  });
  const { output } = await build.generate({
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "worker-[name]-[hash].js",
  });
  await build.close();
  const [entry, ...chunks] = output.sort((left, right) => Number(right.isEntry) - Number(left.isEntry));
  const files = new Map([...chunks, entry].map(({ fileName, code }) => [fileName, code]));
  writeFolder(target, files, (name) => /^worker-.*\.js$/.test(name));
}
