/** Imports the file of blocks that a node was given, and refuses files to a node that does not write its chain. */
import type { ImportOptions } from "../chain/files/import-chain.ts";
import { LimitError, UnsupportedError } from "../errors/hindcast-error.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import { naming, readFileOf } from "./options/files.ts";
import type { CliSettings } from "./options/settings.ts";
import type { Output } from "./output/output.ts";
import { createProgress, type ProgressOptions } from "./output/progress.ts";

/**
 * A node that does not write its chain cannot take one from a file.
 *
 * @throws {UnsupportedError} `CHAIN_FOLLOWS_ANOTHER`
 */
export async function refuseFilesOfFollower(node: HindcastNode, settings: CliSettings): Promise<void> {
  const { importPath, loadStatePath, stateMayBeMissing, shared } = settings;
  if (shared === undefined || (importPath ?? loadStatePath) === undefined) return;
  const { role } = await node.provider.request({ method: "hindcast_status", params: [] });
  if (role === "writer") return;
  const flag = importPath !== undefined ? "--import" : stateMayBeMissing ? "--state" : "--load-state";
  throw new UnsupportedError({
    code: "CHAIN_FOLLOWS_ANOTHER",
    what: `${flag}: this node does not write its chain, as another one does.`,
    fix: `Give ${flag} to the node that writes, with --role writer, and leave it out here.`,
  });
}

/** Streams and signals of the run, for an import. */
interface ImportRun {
  readonly output: Output;
  readonly progress: Omit<ProgressOptions, "label"> | undefined;
  readonly stop: AbortSignal;
  readonly warn: (text: string) => void;
}

/** For Ctrl-C during an import, after which the node that was asked for does not start. */
function importStopped(path: string, reached: string | undefined, dataDir: string | undefined): LimitError {
  const rest = "The data folder has the blocks so far; the same command imports the rest.";
  return new LimitError({
    code: "EXECUTION_ABORTED",
    what: `--import ${path}: the import was stopped.`,
    where: reached ?? "No block was imported.",
    ...(dataDir === undefined ? {} : { fix: rest }),
  });
}

/**
 * Imports the file of the settings into a node.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`, and for its blocks
 * @throws {LimitError} `EXECUTION_ABORTED`
 */
export async function importFile(
  node: HindcastNode,
  { importPath, dataDir }: CliSettings,
  { output, progress: shown, stop: signal, warn }: ImportRun,
): Promise<void> {
  if (importPath === undefined) return;
  const bytes = await readFileOf("--import", importPath);
  const progress = shown && (await createProgress({ ...shown, label: "Importing" }));
  let reached: string | undefined;
  try {
    const onProgress: ImportOptions["onProgress"] = ({ blocks, bytes: done, totalBytes }) => {
      reached = `The first ${blocks} blocks, up to byte ${done} of ${totalBytes}, were imported.`;
      progress?.update(done / totalBytes, `${blocks} blocks`);
    };
    const run = () => node.importChain(bytes, { signal, onProgress });
    const { imported, known } = await naming(["--import", importPath], run, () => reached);
    output.imported(importPath, imported, known);
    if (imported + known === 0) warn(`--import ${importPath}: the file has no blocks.`);
  } catch (error) {
    if (error instanceof LimitError && signal.aborted) throw importStopped(importPath, reached, dataDir);
    throw error;
  } finally {
    progress?.stop();
  }
}
