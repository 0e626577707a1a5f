/** Checks the data folder of a node that is not running. */
import { type CheckReport, checkChain } from "../chain/check/check-chain.ts";
import { InvalidParamsError, StoreError } from "../errors/hindcast-error.ts";
import { Executor } from "../executor/executor.ts";
import { Keyring } from "../keyring/keyring.ts";
import { given } from "../primitives/validation/given.ts";
import { readDataFolder } from "../store/backends/data-folder.ts";
import { STREAM_POSITION } from "../store/backends/stream-mark.ts";
import { ChainStore } from "../store/chain-store.ts";
import { genesisSettings } from "./chain-description.ts";
import { openEngine } from "./engines.ts";
import { NodeBases } from "./fork/chain-bases.ts";
import { openAccounts } from "./options/accounts.ts";
import { checkOptions } from "./options/check-options.ts";
import type { NodeOptions } from "./options/options.ts";

/** The result of a check. */
export interface FolderReport extends CheckReport {
  /** Events of the folder's opening, such as that an incomplete record was cut off. */
  readonly notices: readonly string[];
  /** True if the folder is of a chain that other nodes have, too: its writer's, or a copy. */
  readonly isShared: boolean;
}

/**
 * Reads a complete data folder and reports what is wrong with it.
 *
 * The folder of a shared chain loses its place in the stream of changes with a repair, also of what is lost: a copy is then
 * filled again, and the readers of a writer begin anew. Which of both it is, a folder does not say.
 *
 * @param options - options with which the folder's node is created
 * @param isRepaired - rebuilds what can be rebuilt
 * @throws {InvalidParamsError} `INVALID_OPTION` without a folder, or for a fork
 * @throws {StoreError} if the folder has no chain or a different one, or if a node has it open
 */
export async function checkDataFolder(options: NodeOptions, isRepaired: boolean): Promise<FolderReport> {
  checkOptions(options);
  const dataDir = requireFolder(options);
  if ((await readDataFolder(dataDir)) === undefined) {
    throw new StoreError({
      code: "DATA_DIR_UNUSABLE",
      what: "The folder is not a data folder.",
      where: `Folder: ${dataDir}.`,
      fix: "Name a folder that a node was started with.",
    });
  }
  const keyring = new Keyring(await openAccounts(options));
  const { spec, genesis } = await new NodeBases(options, keyring).open();
  const settings = genesisSettings(options, keyring);
  const identity = { genesisHash: genesis.block.hash, chainId: spec.chainId, settings };
  const engine = await openEngine(options.engine, given(options.limits ?? {}));
  try {
    const store = await ChainStore.open({ dataDir, identity });
    try {
      const isShared = store.getSetting(STREAM_POSITION) !== undefined;
      const report = await checkChain({ store, executor: new Executor(spec, engine), genesis }, isRepaired);
      if (isShared && isRepaired && report.found.length > 0) await leaveStream(store);
      return { ...report, notices: store.notices, isShared };
    } finally {
      await store.close();
    }
  } finally {
    await engine.close();
  }
}

/** Takes the place in the stream away, if the repair has not. */
async function leaveStream(store: ChainStore): Promise<void> {
  const batch = store.batch();
  batch.putSetting(STREAM_POSITION, undefined);
  await batch.write();
}

function requireFolder({ dataDir, fork }: NodeOptions): string {
  if (dataDir !== undefined && fork === undefined) return dataDir;
  const what = fork === undefined ? "A check needs the folder to look at." : "Folders of forks are not checked.";
  throw new InvalidParamsError({ code: "INVALID_OPTION", what });
}
