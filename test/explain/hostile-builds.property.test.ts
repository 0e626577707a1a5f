/**
 * Builds that no compiler has written: places and texts out of range, types that contain themselves, trees of other forms.
 * Whatever explains a transaction by them answers, or says what is wrong with them; nothing fails unexpectedly or never ends.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fetchTransaction } from "../../src/debugger/recording/fetch-transaction.ts";
import { DebugSession } from "../../src/debugger/session/session.ts";
import { HindcastError } from "../../src/errors/hindcast-error.ts";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { ALICE } from "../support/a-node.ts";
import { runs } from "../support/seed.ts";
import { Corpus, readBuildFile } from "./stack/corpus.ts";

type Json = Record<string, unknown>;

/** What stands in place of a value. */
const HOSTILE: readonly unknown[] = [
  -1,
  2 ** 31,
  2 ** 53,
  1e308,
  0.5,
  "",
  "x",
  "-1:5:0",
  "99999999:5:0",
  "0:99999999:0",
  "0:5:77",
  "0:-5:0",
  "../../../../../../etc/passwd",
  "/etc/passwd",
  "__proto__",
  "0x",
  "zz",
  "1:2:0:i:5;;;;:::o",
  ";".repeat(50_000),
  "t_array(".repeat(2_000),
  "uint256[]".repeat(2_000),
  "tuple",
  "mapping(address => mapping(address => uint256))",
  "t_struct(Self)1_storage",
  "0x".padEnd(2_002, "5b"),
  null,
  true,
  [],
  {},
  [[[[]]]],
  { constructor: 1, toString: 2, length: 3 },
];

interface Place {
  readonly parent: Json;
  readonly key: string;
}

/** All places of a build by the names of their members, so that rare members are changed as often as frequent ones. */
function placesOf(build: unknown): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  const waiting: [value: unknown, name: string][] = [[build, ""]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, name] = next;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      // Items of lists have the name of the list.
      const known = Array.isArray(value) ? `${name}[]` : key;
      places.set(known, [...(places.get(known) ?? []).slice(-300), { parent: value as Json, key }]);
      waiting.push([member, known]);
    }
  }
  return places;
}

interface Change {
  readonly name: number;
  readonly place: number;
  readonly value: number;
}

const aChange: fc.Arbitrary<Change> = fc.record({ name: fc.nat(), place: fc.nat(), value: fc.nat() });

/** A build with other values in some places. */
function changed(build: unknown, changes: readonly Change[]): Json {
  const copy = structuredClone(build) as Json;
  const places = [...placesOf(copy).values()];
  for (const { name, place, value } of changes) {
    const named = places[name % places.length] as readonly Place[];
    const { parent, key } = named[place % named.length] as Place;
    const hostile = HOSTILE[value % HOSTILE.length];
    Object.defineProperty(parent, key, { value: hostile, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

/** A function that has to end with a value or with an error of ours. */
async function bears(name: string, run: () => unknown): Promise<unknown> {
  try {
    const value = await run();
    JSON.stringify(value, (_, member) => (typeof member === "bigint" ? String(member) : member));
    return value;
  } catch (thrown) {
    const error = thrown as Error & { readonly code?: unknown };
    const { code } = error;
    // The debugger refuses commands of editors by plain errors.
    const isOurs = error instanceof HindcastError || typeof code === "number" || error.constructor === Error;
    if (isOurs && code !== "INTERNAL_ERROR" && code !== -32603) return undefined;
    throw new Error(`${name} failed`, { cause: error });
  }
}

const COMMANDS: readonly (readonly [string, object])[] = [
  ["threads", {}],
  ["stackTrace", { threadId: 1 }],
  ["scopes", { frameId: 1 }],
  ["variables", { variablesReference: 1 }],
  ["setBreakpoints", { source: { path: "/home/user/src/Vault.sol" }, breakpoints: [{ line: 20 }, { line: 1e9 }] }],
  ["next", { threadId: 1 }],
  ["stepIn", { threadId: 1 }],
  ["stackTrace", { threadId: 1 }],
  ["scopes", { frameId: 1 }],
  ["variables", { variablesReference: 2 }],
  ["evaluate", { expression: "depth", frameId: 1 }],
  ["continue", { threadId: 1 }],
  ["stepBack", { threadId: 1 }],
  ["stackTrace", { threadId: 1 }],
];

async function debug(node: HindcastNode, hash: Hex): Promise<void> {
  const ask = (method: string, params: readonly unknown[]) => node.provider.send(method, params);
  const { debugged } = await fetchTransaction(decodeData(hash), ask as never);
  const session = await DebugSession.open(debugged, async () => undefined);
  for (const [command, args] of COMMANDS) await bears(`the debugger's ${command}`, () => session.answer(command, args));
}

async function explainAll(node: HindcastNode, hashes: readonly Hex[], vault: Hex): Promise<void> {
  const ask = (method: string, ...params: unknown[]) => bears(method, () => node.provider.send(method, params));
  for (const hash of hashes) {
    for (const method of ["explainTransaction", "stateChanges", "getCalls", "gasProfile", "getRecording"]) {
      await ask(`hindcast_${method}`, hash);
    }
    await ask("hindcast_getSteps", hash, { first: 0, count: 50 });
    await ask("hindcast_getStep", hash, 40);
    await bears("renderTrace", () => node.renderTrace(hash));
    await bears("the debugger", () => debug(node, hash));
  }
  await ask("hindcast_getContract", vault);
  await ask("hindcast_getStorage", vault);
  await ask("hindcast_getSources", vault);
  await ask("hindcast_getBuilds", [vault]);
}

let corpus: Corpus;
let code: Hex;
beforeAll(async () => {
  corpus = await Corpus.open("0.8.30-plain");
  code = encodeData(await corpus.node.getCode(decodeData(corpus.vault)));
});
afterAll(() => corpus.node.close());

it("a changed build explains what it can, and nothing fails unexpectedly", async () => {
  const build = readBuildFile("0.8.30-plain");
  const data = [corpus.data("overflow", [2n ** 256n - 1n]), corpus.data("recursive", [3n])];
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(aChange, { minLength: 1, maxLength: 12 }), async (changes) => {
      await using node = await createNode();
      const { input, output } = changed(build, changes);
      const isTaken = await bears("addBuild", () => {
        node.abi.addBuild(input, output);
        return true;
      });
      if (isTaken !== true) return;
      taken++;
      await node.provider.send("anvil_setCode", [corpus.vault, code]);
      node.coverage.start();
      const hashes: Hex[] = [];
      for (const each of data) {
        const transaction = { from: ALICE, to: corpus.vault, data: each, gas: "0xf4240" };
        hashes.push((await node.provider.send("eth_sendTransaction", [transaction])) as Hex);
      }
      await explainAll(node, hashes, corpus.vault);
      await bears("coverage", () => node.coverage.report());
    }),
    { numRuns: runs(200) },
  );
  expect(taken).toBeGreaterThan(0);
});
