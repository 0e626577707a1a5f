/** `hindcast debug`: serves a debugger of a mined transaction, or writes a replay file. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { resolve } from "node:path";
import { fetchTransaction } from "../../debugger/recording/fetch-transaction.ts";
import { readReplay } from "../../debugger/recording/replay-file.ts";
import type { DebuggedTransaction } from "../../debugger/recording/transaction.ts";
import { saveReplay } from "../../debugger/session/save-replay.ts";
import { DebugSession } from "../../debugger/session/session.ts";
import { AbiRegistry } from "../../explain/abi/registry.ts";
import { requireFolderOf, writeFileOf } from "../options/files.ts";
import type { RunContext } from "../run.ts";
import { type AdapterLibrary, loadAdapterLibrary, serveClient } from "./debug-adapter.ts";
import { type DebugOptions, parseDebugOptions } from "./debug-options.ts";
import { locateIn } from "./locate-file.ts";
import { askNode } from "./node-client.ts";

const EXIT_OK = 0;
const EXIT_FAILED = 1;
const LOCALHOST = "127.0.0.1";
const HTTP_REQUEST = /^[A-Z]+ /;

/** Streams for messages of the command, and the folder that it runs in. The protocol goes over the streams of the process. */
export interface DebugContext extends Pick<RunContext, "stdout" | "stderr" | "stop"> {
  /** Working folder. */
  readonly cwd: string;
}

/**
 * Runs `hindcast debug`.
 *
 * @returns the exit code
 * @throws {InvalidParamsError} `INVALID_OPTION`, `FILE_NOT_READABLE`, `FILE_NOT_WRITABLE`
 * @throws {RemoteError} `REMOTE_UNREACHABLE`, `REMOTE_METHOD_MISSING`, `REMOTE_REFUSED`, `REMOTE_BAD_ANSWER`
 * @throws {UnsupportedError} `PACKAGE_MISSING`
 */
export async function runDebugCommand(argv: readonly string[], context: DebugContext): Promise<number> {
  const options = parseDebugOptions(argv);
  if ("help" in options) {
    context.stdout.write(options.help);
    return EXIT_OK;
  }
  if (options.saveReplay !== undefined) {
    await writeReplay(options, options.saveReplay, context);
    return EXIT_OK;
  }
  const library = await loadAdapterLibrary();
  const debugged = readTransaction(options, context);
  const open = async (): Promise<DebugSession> =>
    DebugSession.open(await debugged, locateIn(resolve(context.cwd, options.sourceRoot ?? ".")));
  if (options.port === undefined) return serveStandardStreams(library, open(), context);
  await open();
  await serveSocket(library, open, { ...context, port: options.port });
  return EXIT_OK;
}

async function readTransaction(
  { target, ...options }: DebugOptions,
  { cwd }: DebugContext,
): Promise<DebuggedTransaction> {
  if ("replayPath" in target) return readReplay(resolve(cwd, target.replayPath));
  return (await fetch(target.txHash, options, cwd)).debugged;
}

async function fetch(txHash: Uint8Array, { rpcUrl, artifacts }: Omit<DebugOptions, "target">, cwd: string) {
  const ask = askNode(rpcUrl);
  const abi = new AbiRegistry();
  for (const folder of artifacts) await abi.addArtifacts(resolve(cwd, folder));
  return fetchTransaction(txHash, ask, abi);
}

async function writeReplay({ target, ...options }: DebugOptions, path: string, context: DebugContext): Promise<void> {
  if (!("txHash" in target)) return;
  await requireFolderOf("--save-replay", resolve(context.cwd, path));
  const { debugged, answers } = await fetch(target.txHash, options, context.cwd);
  const bytes = await saveReplay(debugged, answers);
  await writeFileOf("--save-replay", resolve(context.cwd, path), [bytes]);
  context.stdout.write(`Wrote ${path} (${bytes.length} bytes). Debug it with: hindcast debug ${path}\n`);
}

/** A failure goes to the client, too: editors show the answer of `launch`, but not the output of the process. */
async function serveStandardStreams(
  library: AdapterLibrary,
  session: Promise<DebugSession>,
  { stop }: DebugContext,
): Promise<number> {
  const { stdin, stdout } = process;
  if (stdin.isTTY) await session;
  const served = serveClient(library, session, { input: stdin, output: stdout });
  const failed = session.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  await Promise.race([served, stop.aborted ? undefined : once(stop, "abort")]);
  stdin.destroy();
  const failure = await failed;
  if (failure !== undefined) throw failure.error;
  return stop.aborted ? EXIT_FAILED : EXIT_OK;
}

/** Serves any number of clients, each with a session of its own, until the command is stopped. */
async function serveSocket(
  library: AdapterLibrary,
  open: () => Promise<DebugSession>,
  { stderr, stop, port }: DebugContext & { readonly port: number },
): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)));
    socket.on("error", () => socket.destroy());
    socket.once("data", (first) => {
      // A page in a browser may send a request here, whose headers and body the protocol's library would take for its own.
      if (HTTP_REQUEST.test(first.toString("latin1"))) return void socket.destroy();
      socket.pause();
      socket.unshift(first);
      void serveClient(library, open(), { input: socket, output: socket }).then(() => socket.end());
    });
  });
  server.listen(port, LOCALHOST);
  await once(server, "listening");
  const address = server.address();
  const actual = typeof address === "object" && address !== null ? address.port : port;
  stderr.write(`hindcast: serving the Debug Adapter Protocol on ${LOCALHOST}:${actual}\n`);
  if (!stop.aborted) await once(stop, "abort");
  server.close();
  for (const socket of sockets) socket.destroy();
}
