/** Whether a block's JSON hashes to the hash that it claims. */
import { type Header, hashHeader } from "../../chainspec/header/header.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { readData, readFixedData, readQuantity } from "../wire.ts";

type Json = Readonly<Record<string, unknown>>;

/** Members of headers that the codec does not know, of hardforks to come and of other chains. */
const UNKNOWN_MEMBERS = ["blockAccessListHash", "slotNumber", "step", "signature", "mainBlockGeneralGasPrice"];

/**
 * Why the header of a block does not have the block's hash; undefined where it has.
 *
 * @param json - a block as eth_getBlockByHash gives it
 */
export function problemOfHash(json: Json): string | undefined {
  const unknown = UNKNOWN_MEMBERS.filter((name) => json[name] !== undefined && json[name] !== null);
  if (unknown.length > 0) return `headers with the member ${unknown[0]} cannot be checked`;
  try {
    const hash = readFixedData(json.hash, 32);
    return equalBytes(hashHeader(headerOf(json)), hash) ? undefined : "its header has another hash";
  } catch (error) {
    return `its header cannot be read: ${(error as Error).message}`;
  }
}

/**
 * The header of a block.
 *
 * @throws {TypeError} naming what cannot be read
 */
function headerOf(json: Json): Header {
  const quantity = (name: string): bigint | undefined =>
    json[name] === undefined || json[name] === null ? undefined : readQuantity(json[name]);
  const optional = (name: string): Uint8Array | undefined =>
    json[name] === undefined || json[name] === null ? undefined : readFixedData(json[name], 32);
  return {
    parentHash: readFixedData(json.parentHash, 32),
    unclesHash: readFixedData(json.sha3Uncles, 32),
    coinbase: readFixedData(json.miner, 20),
    stateRoot: readFixedData(json.stateRoot, 32),
    transactionsRoot: readFixedData(json.transactionsRoot, 32),
    receiptsRoot: readFixedData(json.receiptsRoot, 32),
    logsBloom: readFixedData(json.logsBloom, 256),
    difficulty: readQuantity(json.difficulty),
    number: readQuantity(json.number),
    gasLimit: readQuantity(json.gasLimit),
    gasUsed: readQuantity(json.gasUsed),
    timestamp: readQuantity(json.timestamp),
    extraData: readData(json.extraData),
    mixHash: readFixedData(json.mixHash, 32),
    nonce: readFixedData(json.nonce, 8),
    baseFeePerGas: quantity("baseFeePerGas"),
    withdrawalsRoot: optional("withdrawalsRoot"),
    blobGasUsed: quantity("blobGasUsed"),
    excessBlobGas: quantity("excessBlobGas"),
    parentBeaconBlockRoot: optional("parentBeaconBlockRoot"),
    requestsHash: optional("requestsHash"),
  };
}
