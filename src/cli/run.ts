/** Runs a node from the command line: reads files, starts the node, prints banner and log, and shuts down in order. */
import { NEWEST_STABLE_HARDFORK } from "../chainspec/hardforks/hardforks.ts";
import { DEV_DERIVATION_PATH, DEV_MNEMONIC } from "../keyring/keyring.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import type { ForkOptions } from "../node/options/fork-options.ts";
import type { NodeOptions } from "../node/options/options.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { redactUrl } from "../remote/transport/redact.ts";
import { FirstUse } from "./first-use.ts";
import { importFile, refuseFilesOfFollower } from "./import-file.ts";
import { naming, writeFileOf } from "./options/files.ts";
import { genesisWarnings, readGenesisFile } from "./options/genesis-file.ts";
import { toListenOptions, toNodeOptions, withMnemonic } from "./options/node-options.ts";
import type { CliSettings } from "./options/settings.ts";
import { ExecutionLog } from "./output/execution-log.ts";
import { forkWarning } from "./output/fork-warning.ts";
import { loggedError } from "./output/logged-error.ts";
import { miningProgress } from "./output/mining-progress.ts";
import { hasColors, openOutput } from "./output/open-output.ts";
import type { Output, StartFacts, Terminal } from "./output/output.ts";
import type { ProgressOptions } from "./output/progress.ts";
import { runAgain } from "./run-again.ts";
import { checkStatePath, loadStateFile, StateKeeper, withTimestampOfState } from "./state-keeper.ts";
import { whenReachable } from "./when-reachable.ts";

/** Streams of a run, and the signal that ends it. */
export interface RunContext extends Terminal {
  /** Ends the node. */
  readonly stop: AbortSignal;
  /** Called once the node serves requests and the banner is printed. */
  readonly onUp?: () => void;
  /** Called once the node has mined transactions and rests, or has ended. It may take a tenth of a second. */
  readonly onUsed?: () => void;
}

/**
 * Runs a node until `stop` aborts, then closes it. When this resolves, all acknowledged writes are on disk.
 *
 * @throws {HindcastError} for problems with files, port, genesis, data folder or imported blocks
 */
export async function runNode(wanted: CliSettings, context: RunContext, version: string): Promise<void> {
  const settings = await withTimestampOfState(withMnemonic(wanted));
  await checkStatePath(settings);
  await runAgain(settings, context, (own, until, fenced) => runUntil(own, until, { version, fenced }));
}

/** Returns the port on which it listened. @param ending - `fenced` aborts when another node has taken the chain over */
async function runUntil(
  settings: CliSettings,
  context: RunContext,
  ending: { readonly version: string; readonly fenced: AbortSignal },
): Promise<number | undefined> {
  const { version, fenced } = ending;
  const { stop, ...terminal } = context;
  const output = await openOutput(settings, terminal);
  const onError = (error: unknown): void =>
    void terminal.stderr.write(`hindcast: ${error instanceof Error ? error.message : String(error)}\n`);
  const shown = progressOptions(settings, terminal, output);
  const hooks: Hooks = { onRequest: undefined };
  const listeners = { hooks, output, onError, onMiningProgress: shown && miningProgress(shown) };
  const node = await openNode(settings, listeners, stop);
  if (node === undefined) return undefined;
  const warn = forkWarning(node, output);
  warn();
  const firstUse = new FirstUse(node, () => context.onUsed?.());
  try {
    await refuseFilesOfFollower(node, settings);
    await loadStateFile(node, settings);
    await importFile(node, settings, { output, progress: shown, stop, warn: (text) => onError(`warning: ${text}`) });
    if (stop.aborted) return undefined;
    await exportFile(node, settings);
    for (const folder of settings.artifacts) await node.abi.addArtifacts(folder);
    if (settings.coveragePath !== undefined) node.coverage.start();
    const keeper = new StateKeeper(node, settings, onError);
    const log = settings.quiet
      ? undefined
      : new ExecutionLog(node, output, {
          // Those that a reader gets are in its writer's log. To describe them takes longer than to follow.
          blocks: !isReader(settings) || settings.trees !== "none",
          consoleLog: settings.consoleLog,
          trees: settings.trees,
          explainFailures: settings.artifacts.length > 0 || settings.sources !== undefined,
          colors: hasColors(settings, terminal.stdout),
          onError,
        });
    try {
      const port = await serve(node, settings, { output, version, hooks, warn });
      context.onUp?.();
      const exported = node.head.hash;
      await fired(stop);
      if (fenced.aborted) return port;
      if (node.head.hash !== exported) await exportFile(node, settings);
      await keeper.finish();
      await writeCoverage(node, settings);
      return port;
    } finally {
      keeper.stop();
      await log?.stop();
      await output.written();
    }
  } finally {
    await node.close();
    firstUse.end();
  }
}

async function writeCoverage(node: HindcastNode, { coveragePath }: CliSettings): Promise<void> {
  if (coveragePath === undefined) return;
  const report = await node.coverage.report();
  await writeFileOf("--coverage", coveragePath, [new TextEncoder().encode(report.toLcov())]);
}

/** Callbacks of the node. The log is set when the server starts, so that the command's own requests are not logged. */
interface Hooks {
  onRequest: NodeOptions["onRequest"];
}

interface NodeListeners {
  readonly hooks: Hooks;
  readonly output: Output;
  readonly onError: (error: unknown) => void;
  readonly onMiningProgress: NodeOptions["onMiningProgress"];
}

/** Undefined if it was stopped while it waited for another node. */
async function openNode(
  settings: CliSettings,
  listeners: NodeListeners,
  stop: AbortSignal,
): Promise<HindcastNode | undefined> {
  const { hooks, output, onError, onMiningProgress } = listeners;
  const genesis = settings.genesisPath === undefined ? undefined : await readGenesisFile(settings.genesisPath);
  const warnings = genesis === undefined ? [] : genesisWarnings(genesis);
  for (const warning of warnings) onError(`warning: --genesis ${settings.genesisPath}: ${warning}`);
  const { createNode } = await import("../node/create-node.ts");
  const options = toNodeOptions(settings, genesis);
  const onProgress: ForkOptions["onProgress"] = ({ label, answered, waiting, elapsedMs }) =>
    output.noticed(
      `fork: ${answered} of ${answered + waiting} requests answered by ${label} in ${Math.round(elapsedMs / 1000)} s`,
    );
  const create = () =>
    createNode({
      ...options,
      ...(options.fork === undefined ? {} : { fork: { ...options.fork, onProgress } }),
      onRequest: (method, error) => hooks.onRequest?.(method, error),
      onSlowRequest: (method, elapsedMs) =>
        output.noticed(`${method} has been running for ${Math.round(elapsedMs / 1000)} s`),
      onNotice: (notice) => output.noticed(notice),
      ...(onMiningProgress === undefined ? {} : { onMiningProgress }),
      onError,
    });
  const start = () => whenReachable(create, { stop, noticed: (text) => output.noticed(text) });
  return settings.genesisPath === undefined ? start() : naming(["--genesis", settings.genesisPath], start);
}

interface Serving {
  readonly output: Output;
  readonly version: string;
  readonly hooks: Hooks;
  readonly warn: () => void;
}

/** Starts the servers, prints the banner, and logs from then on. */
async function serve(node: HindcastNode, settings: CliSettings, serving: Serving): Promise<number> {
  const { output, version, hooks, warn } = serving;
  const { ipcPath, configOutPath } = settings;
  const facts = settings.quiet && configOutPath === undefined ? undefined : await describe(node, settings, version);
  const gasPrice =
    configOutPath === undefined ? 0n : BigInt(await node.provider.request({ method: "eth_gasPrice", params: [] }));
  if (ipcPath !== undefined) await node.listenIpc({ path: ipcPath });
  const { host, port, url } = await node.listen(toListenOptions(settings));
  const explorerUrl = settings.explorer === false ? undefined : `${url}/`;
  if (facts !== undefined) {
    const start = { ...facts, host, port, ipcPath, explorerUrl };
    if (configOutPath !== undefined) {
      const { writeConfigOut } = await import("./output/config-out.ts");
      await writeConfigOut(configOutPath, start, gasPrice);
    }
    output.started(start);
  }
  if (settings.opensBrowser && explorerUrl !== undefined) {
    const { openBrowser } = await import("./open-browser.ts");
    openBrowser(explorerUrl, (reason) => output.noticed(reason));
  }
  hooks.onRequest = (method, error) => {
    output.answered(method, error && loggedError(error, node.abi));
    // A request may have begun another fork.
    warn();
  };
  return port;
}

/** Options for progress messages; undefined for a run that prints nothing. */
function progressOptions(
  { quiet, json }: CliSettings,
  { stderr }: Terminal,
  output: Output,
): Omit<ProgressOptions, "label"> | undefined {
  return quiet ? undefined : { stderr, isJson: json, notice: (text) => output.noticed(text) };
}

async function exportFile(node: HindcastNode, { exportPath }: CliSettings): Promise<void> {
  if (exportPath !== undefined) await writeFileOf("--export", exportPath, node.exportChain());
}

async function describe(
  node: HindcastNode,
  settings: CliSettings,
  version: string,
): Promise<Omit<StartFacts, "host" | "port" | "ipcPath" | "explorerUrl">> {
  const balanceOf = async (address: Uint8Array): Promise<bigint> =>
    BigInt(await node.provider.request({ method: "eth_getBalance", params: [encodeData(address), "latest"] }));
  const genesis = node.getBlock(node.fork?.blockNumber ?? 0n)?.header ?? node.head.header;
  return {
    version,
    accounts: await Promise.all(
      node.accounts.map(async (account) => ({ ...account, balance: await balanceOf(account.address) })),
    ),
    ...walletOf(settings),
    chainId: node.chainId,
    hardfork: hardforkOf(settings),
    fork: node.fork,
    shared: sharedOf(settings),
    engine: node.engine,
    dialect: settings.dialect,
    baseFeePerGas: node.head.header.baseFeePerGas,
    gasLimit: node.head.header.gasLimit,
    genesisTimestamp: genesis.timestamp,
    genesisNumber: genesis.number,
    headNumber: node.head.header.number,
    dataDir: settings.dataDir,
  };
}

/** The source of the private keys, unless they were given directly. */
function walletOf({
  accounts,
  mnemonic,
  derivationPath,
}: CliSettings): Pick<StartFacts, "mnemonic" | "derivationPath"> {
  if (Array.isArray(accounts)) return {};
  return { mnemonic: mnemonic ?? DEV_MNEMONIC, derivationPath: derivationPath ?? DEV_DERIVATION_PATH };
}

/** For a development chain; a genesis or another chain may schedule several. */
function hardforkOf(settings: CliSettings): string | undefined {
  const { hardfork, genesisPath, fork } = settings;
  const isOurs = genesisPath === undefined && fork === undefined && !isReader(settings);
  return hardfork ?? (isOurs ? NEWEST_STABLE_HARDFORK : undefined);
}

function isReader({ follow, shared }: CliSettings): boolean {
  return follow !== undefined || shared?.role === "reader";
}

/** The node that is followed, or PostgreSQL, without credentials; true for a chain that is shared. */
function sharedOf({ share, follow, shared }: CliSettings): string | boolean {
  if (shared !== undefined) return redactUrl(shared.url);
  if (follow === undefined) return share !== undefined;
  return redactUrl(typeof follow === "string" ? follow : follow.url);
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
