/** A node's life on the command line: files in, node up, banner, log, and an orderly end. */

import { setImmediate } from "node:timers/promises";
import { NEWEST_STABLE_HARDFORK } from "../chainspec/hardforks.ts";
import { LimitError } from "../errors/hindcast-error.ts";
import { DEV_DERIVATION_PATH, DEV_MNEMONIC } from "../keyring/keyring.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import type { NodeOptions } from "../node/options.ts";
import { encodeData } from "../primitives/hex.ts";
import { buildBanner, listeningLine } from "./banner.ts";
import { readFileOf, writeFileOf } from "./files.ts";
import { readGenesisFile } from "./genesis-file.ts";
import { createImportProgress } from "./import-progress.ts";
import { toListenOptions, toNodeOptions } from "./node-options.ts";
import type { CliSettings } from "./options.ts";
import type { RequestLog } from "./request-log.ts";

/** Where a run prints. */
export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/**
 * Runs a node until `stop` fires, then closes it; what was acknowledged is on disk when this resolves.
 *
 * @throws {HindcastError} for whatever the user has to know: files, port, genesis, data folder, bad blocks
 */
export async function runNode(
  settings: CliSettings,
  terminal: Terminal,
  version: string,
  stop: AbortSignal,
): Promise<void> {
  const hooks: Hooks = { onRequest: undefined };
  const node = await openNode(settings, terminal, hooks);
  try {
    await importFile(node, settings, terminal, stop);
    if (stop.aborted) return;
    await exportFile(node, settings);
    const banner = settings.quiet ? undefined : await describe(node, settings, version);
    const { host, port } = await node.listen(toListenOptions(settings));
    if (banner !== undefined) terminal.stdout.write(`${banner}\n${listeningLine(host, port)}\n`);
    if (!settings.quiet) hooks.onRequest = requestLog(terminal.stdout);
    const exported = node.head.hash;
    await fired(stop);
    if (node.head.hash !== exported) await exportFile(node, settings);
  } finally {
    await node.close();
  }
}

/** What a node calls back; the log opens with the server, so that our own questions stay out of it. */
interface Hooks {
  onRequest: RequestLog | undefined;
}

/** The log's library is loaded once the first answer is out; lines wait for it in their order. */
function requestLog(output: NodeJS.WriteStream): RequestLog {
  let opened: Promise<RequestLog> | undefined;
  const open = async (): Promise<RequestLog> => {
    await setImmediate();
    const { createRequestLog } = await import("./request-log.ts");
    return createRequestLog(output);
  };
  return (method, error) => {
    opened ??= open();
    void opened.then((log) => log(method, error));
  };
}

async function openNode(settings: CliSettings, terminal: Terminal, hooks: Hooks): Promise<HindcastNode> {
  const genesis = settings.genesisPath === undefined ? undefined : await readGenesisFile(settings.genesisPath);
  const options: NodeOptions = {
    ...toNodeOptions(settings, genesis),
    onRequest: (method, error) => hooks.onRequest?.(method, error),
    onError: (error) => terminal.stderr.write(`hindcast: ${error instanceof Error ? error.message : String(error)}\n`),
  };
  const { createNode } = await import("../node/create-node.ts");
  return await createNode(options);
}

async function importFile(
  node: HindcastNode,
  { importPath, quiet }: CliSettings,
  { stdout, stderr }: Terminal,
  signal: AbortSignal,
): Promise<void> {
  if (importPath === undefined) return;
  const bytes = await readFileOf("--import", importPath);
  const progress = await createImportProgress(stderr, !quiet);
  try {
    const { imported, known } = await node.importChain(bytes, { signal, onProgress: progress.update });
    if (!quiet)
      stdout.write(`Imported ${imported} blocks from ${importPath}${known > 0 ? `, ${known} were known` : ""}.\n\n`);
  } catch (error) {
    if (error instanceof LimitError && signal.aborted) return;
    throw error;
  } finally {
    progress.stop();
  }
}

async function exportFile(node: HindcastNode, { exportPath }: CliSettings): Promise<void> {
  if (exportPath !== undefined) await writeFileOf("--export", exportPath, node.exportChain());
}

async function describe(node: HindcastNode, settings: CliSettings, version: string): Promise<string> {
  const balanceOf = async (address: Uint8Array): Promise<bigint> =>
    BigInt(await node.provider.request({ method: "eth_getBalance", params: [encodeData(address), "latest"] }));
  const genesis = node.getBlock(0n)?.header ?? node.head.header;
  return buildBanner({
    version,
    accounts: await Promise.all(
      node.accounts.map(async (account) => ({ ...account, balance: await balanceOf(account.address) })),
    ),
    mnemonic: settings.mnemonic ?? DEV_MNEMONIC,
    derivationPath: settings.derivationPath ?? DEV_DERIVATION_PATH,
    chainId: node.chainId,
    hardfork: settings.genesisPath === undefined ? (settings.hardfork ?? NEWEST_STABLE_HARDFORK) : undefined,
    baseFeePerGas: node.head.header.baseFeePerGas,
    gasLimit: node.head.header.gasLimit,
    genesisTimestamp: genesis.timestamp,
    genesisNumber: genesis.number,
    headNumber: node.head.header.number,
    dataDir: settings.dataDir,
  });
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
