/** Reads a genesis.json without losing digits of its large numbers. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { FILE_JSON } from "../../primitives/json/json-limits.ts";
import { readJsonText } from "../../primitives/json/read-json.ts";
import { parseLosslessJson } from "../../primitives/shapes/lossless-json.ts";
import { isObject } from "../../primitives/shapes/shape.ts";
import { showValue } from "../../primitives/shapes/show-value.ts";
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
    throw noGenesis(`${path} is no JSON: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  if (!isObject(genesis)) throw noGenesis(`${path} holds ${showValue(genesis)}`);
  return genesis;
}

function noGenesis(problem: string, cause?: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "INVALID_GENESIS",
    what: `--genesis: ${problem}.`,
    fix: "It must hold geth's genesis.json: an object with config and alloc.",
    cause,
  });
}
