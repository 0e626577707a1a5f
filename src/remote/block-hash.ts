/** Checks that a block's JSON has the hash that it claims. */
import { hashHeader } from "../chainspec/header/header.ts";
import { equalBytes } from "../primitives/bytes/bytes.ts";
import { decodeHeaderJson } from "./decode/block.ts";
import { readFixedData } from "./wire.ts";

type Json = Readonly<Record<string, unknown>>;

/** Header members that the codec does not know: of later hardforks and other chains. */
const UNKNOWN_MEMBERS = ["step", "signature", "mainBlockGeneralGasPrice"];

/**
 * The reason why a block's header does not have the block's hash; undefined if it has.
 *
 * @param json - a block from eth_getBlockByHash
 */
export function problemOfHash(json: Json): string | undefined {
  const unknown = UNKNOWN_MEMBERS.filter((name) => json[name] !== undefined && json[name] !== null);
  if (unknown.length > 0) return `headers with the member ${unknown[0]} cannot be checked`;
  try {
    const hash = readFixedData(json.hash, 32);
    return equalBytes(hashHeader(decodeHeaderJson(json)), hash) ? undefined : "its header has another hash";
  } catch (error) {
    return `its header cannot be read: ${(error as Error).message}`;
  }
}
