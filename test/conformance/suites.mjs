// The suites: how each is run on a folder, by its own script where it has one.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answersBesideDocument } from "./own-document.mjs";
import { runScript, withNode } from "./processes.mjs";
import { traceRequests } from "./trace-requests.mjs";

/**
 * By name: a function of the suite's folder in the collection (`home`) and the folder to run (`dir`, usually the same)
 * that gives `{ passed, failed, failures }`. Those of {@link ENGINE_SUITES} look at a second argument, too: `engine`, which
 * is the library's default where it is undefined, `every`, to run one case in so many, and `listed`, the cases known not to pass.
 */
export const SUITES = {
  "rpc-compat": rpcCompat,
  tracers,
  "parity-schema": paritySchema,
  "blockchain-tests": blockchainTests,
  "state-tests": stateTests,
  eest,
  "stack-traces": stackTraces,
};

/** Suites that can be run on an engine of choice. */
export const ENGINE_SUITES = ["tracers", "blockchain-tests", "state-tests", "eest"];

/** The one suite that can be run in part. */
export const SAMPLED_SUITE = "state-tests";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The file from the folder that is run, or else from the collection's. */
function pick(name, { dir, home }) {
  const own = join(dir, name);
  return existsSync(own) ? own : join(home, name);
}

/** The script belongs to the collection; a folder may bring its own where there is none. */
const scriptOf = (name, { dir, home }) => pick(name, { dir: home, home: dir });

async function rpcCompat(folders) {
  const flags = ["--genesis", pick("genesis.json", folders), "--import", pick("chain.rlp", folders)];
  return await withNode(flags, async (url) => {
    const result = await runScript(scriptOf("rpc-compat.mjs", folders), [url, "--dir", folders.dir]);
    const { misfits, described } = await answersBesideDocument(url, folders.dir);
    for (const misfit of misfits) console.log(`FAIL beside our own document: ${misfit}`);
    console.log(`${described} answers are as our own OpenRPC document has them`);
    return { ...result, failed: result.failed + misfits.length, failures: [...result.failures, ...misfits] };
  });
}

async function tracers(folders, { engine }) {
  const args = ["--adapter", here("tracer-adapter.mjs"), "--dir", folders.dir];
  const environment = engine === undefined ? {} : { HINDCAST_TRACER_ENGINE: engine };
  return await runScript(scriptOf("tracers.mjs", folders), args, environment);
}

async function blockchainTests({ dir }, { engine }) {
  return await runScript(here("blockchain-tests.mjs"), ["--dir", dir, ...flagOf("engine", engine)]);
}

async function stateTests({ dir }, { engine, every }) {
  const choice = [...flagOf("engine", engine), ...flagOf("every", every)];
  return await runScript(here("state-tests.mjs"), ["--dir", dir, ...choice]);
}

/** The Execution Spec Tests: a folder with entries of blocks and of states, each run as those of the older collections. */
async function eest(folders, choice) {
  return sumOf([await blockchainTests(folders, choice), await stateTests(folders, choice)]);
}

async function stackTraces({ dir }, { listed }) {
  return await runScript(here("stack-traces.mjs"), ["--dir", dir], {}, listed);
}

const flagOf = (name, value) => (value === undefined ? [] : [`--${name}`, String(value)]);

/** Hardforks of the development chains: proof of work, the last of it, and the newest. */
const DEV_HARDFORKS = ["chainstart", "byzantium", "london", "osaka"];

/** The recorded responses of other nodes, then our own node's on the chain of rpc-compat and on development chains. */
async function paritySchema(folders) {
  const script = scriptOf("parity-schema.mjs", folders);
  const responses = existsSync(join(folders.dir, "responses")) ? join(folders.dir, "responses") : folders.dir;
  const recorded = readdirSync(responses)
    .filter((name) => name.endsWith(".json") && !name.endsWith(".schema.json"))
    .map((name) => join(responses, name));
  const results = recorded.length === 0 ? [] : [await runScript(script, recorded)];
  const chain = join(folders.home, "..", "rpc-compat");
  if (existsSync(join(chain, "chain.rlp"))) {
    const flags = ["--genesis", join(chain, "genesis.json"), "--import", join(chain, "chain.rlp")];
    results.push(await checkTraces(script, await withNode(flags, (url) => traceRequests(url))));
  } else console.log(`no ${join(chain, "chain.rlp")}: our own responses on it are not checked`);
  for (const hardfork of DEV_HARDFORKS) results.push(await checkDevChain(script, hardfork));
  return sumOf(results);
}

/** Results of several runs as one. */
function sumOf(results) {
  return {
    passed: results.reduce((sum, result) => sum + result.passed, 0),
    failed: results.reduce((sum, result) => sum + result.failed, 0),
    failures: results.flatMap((result) => result.failures),
  };
}

async function checkDevChain(script, hardfork) {
  // Not at the top: the package may have to be built first.
  const { devChain } = await import("./dev-chains.mjs");
  const node = await devChain(hardfork);
  try {
    const { port } = await node.listen({ port: 0 });
    return await checkTraces(script, await traceRequests(`http://127.0.0.1:${port}/`, hardfork));
  } finally {
    await node.close();
  }
}

/** Checks the answers of exchanges by the script of the schemas. */
export async function checkTraces(script, { exchanges, unknown }) {
  const folder = mkdtempSync(join(tmpdir(), "hindcast-traces-"));
  try {
    for (const method of unknown) console.log(`not asked: ${method} (the node has no such method)`);
    const files = exchanges.map(({ name, request, response }) => {
      const path = join(folder, `${name}.json`);
      // An error would pass as one; here an answer is due.
      writeFileSync(
        path,
        JSON.stringify({ request, response: response.error ? { unexpected: response.error } : response }),
      );
      return path;
    });
    return await runScript(script, files);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
