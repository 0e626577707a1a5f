/** Reads a genesis.json without losing digits of its large numbers. */
import { FORK_BLOCK_MEMBERS } from "../../chainspec/genesis/genesis.ts";
import { HARDFORKS } from "../../chainspec/hardforks/hardforks.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { FILE_JSON } from "../../primitives/json/json-limits.ts";
import { parseLosslessJson } from "../../primitives/json/lossless-json.ts";
import { readJsonText } from "../../primitives/json/read-json.ts";
import { nearestName } from "../../primitives/validation/nearest-name.ts";
import { isMilliseconds, isObject } from "../../primitives/validation/shape.ts";
import { showValue } from "../../primitives/validation/show-value.ts";
import { readFileOf } from "./files.ts";

/**
 * The parsed JSON of the file. Integers of 16 digits and more become decimal strings, which a genesis allows too.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`, or `INVALID_GENESIS` if it is no object of JSON or exceeds the limits
 */
export async function readGenesisFile(path: string): Promise<unknown> {
  const text = Buffer.from(await readFileOf("--genesis", path)).toString("utf8");
  if (text.trim() === "") throw noGenesis(`${path} is empty`);
  let genesis: unknown;
  try {
    genesis = await readJsonText(text, { limits: FILE_JSON, parse: parseLosslessJson });
  } catch (error) {
    throw noGenesis(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  if (!isObject(genesis)) throw noGenesis(`${path} holds ${showValue(genesis)}`);
  return genesis;
}

/** Members of `config` beside those that begin a hardfork. The last three have no effect, as in geth. */
const OTHER_CONFIG = [
  ...["chainId", "eip155Block", "terminalTotalDifficulty", "mergeNetsplitBlock", "mergeForkBlock", "daoForkBlock"],
  ...["daoForkSupport", "blobSchedule", "depositContractAddress"],
  ...["eip150Hash", "terminalTotalDifficultyPassed", "terminalBlockHash"],
];

/**
 * Likely mistakes in a genesis that can be read, in sentences: misspelled hardforks, which may be another chain's own
 * names, and times in milliseconds.
 */
export function genesisWarnings(genesis: unknown): string[] {
  const { config, timestamp } = genesis as Readonly<Record<string, unknown>>;
  const members = isObject(config) ? Object.entries(config) : [];
  const names = [
    ...Object.values(FORK_BLOCK_MEMBERS),
    ...HARDFORKS.map((hardfork) => `${hardfork}Time`),
    ...OTHER_CONFIG,
  ];
  const known = new Set(names.map((name) => name.toLowerCase()));
  const misspelled = members.flatMap(([name]) => {
    const near = known.has(name.toLowerCase()) ? undefined : nearestName(name, names);
    return near === undefined ? [] : [`config.${name} has no effect. Did you mean ${near}?`];
  });
  const times = [
    ["timestamp", timestamp] as const,
    ...members.map(([name, value]) => [`config.${name}`, value] as const),
  ];
  const late = times.flatMap(([name, value]) => {
    const isTime = /time(?:stamp)?$/i.test(name) && ["number", "string"].includes(typeof value);
    return isTime && isMilliseconds(Number(value))
      ? [`${name}: ${value} seems to be in milliseconds, but is taken as seconds.`]
      : [];
  });
  return [...misspelled, ...late];
}

function noGenesis(problem: string, cause?: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "INVALID_GENESIS",
    what: `--genesis: ${problem}.`,
    fix: "It must hold geth's genesis.json: an object with config and alloc.",
    cause,
  });
}
