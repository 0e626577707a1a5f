/**
 * Validates a header against its parent (yellow paper §4.4.4 and later EIPs). Seals are not checked.
 *
 * Each rule has its own text, so that the error names the broken rule.
 */
import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import { requiredExtraData } from "../../chainspec/dao-fork.ts";
import { hardforkName } from "../../chainspec/hardforks/hardforks.ts";
import type { Rules } from "../../chainspec/hardforks/rules.ts";
import { nextDifficulty } from "../../chainspec/header/difficulty.ts";
import { BLOB_GAS_PER_BLOB, ELASTICITY, nextBaseFeePerGas, nextExcessBlobGas } from "../../chainspec/header/fees.ts";
import { MAXIMUM_GAS_LIMIT, MINIMUM_GAS_LIMIT } from "../../chainspec/header/gas-limit.ts";
import type { Header } from "../../chainspec/header/header.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_UNCLES_HASH } from "../../primitives/hash/hash.ts";

const GAS_LIMIT_BOUND_DIVISOR = 1024n;
const MAXIMUM_EXTRA_DATA = 32;
const ZERO_NONCE = new Uint8Array(8);

/**
 * Checks a header against its parent.
 *
 * @param rules - of the header's own hardfork
 * @throws {InvalidParamsError} `BLOCK_REJECTED` with the number and the broken rule
 */
export function checkHeader(header: Header, parent: Header, rules: Rules, spec: ChainSpec): void {
  const reject = (rule: string): InvalidParamsError => blockRejected(header.number, rule);
  if (header.number !== parent.number + 1n) throw reject(`number is not the parent's plus one (${parent.number})`);
  if (header.timestamp < parent.timestamp + spec.timestampStep) {
    throw reject(`timestamp ${header.timestamp} is not after the parent's ${parent.timestamp}`);
  }
  if (header.extraData.length > MAXIMUM_EXTRA_DATA)
    throw reject(`extraData has ${header.extraData.length} bytes, over 32`);
  checkGasLimit(header, parent, rules, reject);
  if (header.gasUsed > header.gasLimit) throw reject(`gasUsed ${header.gasUsed} exceeds gasLimit ${header.gasLimit}`);
  checkConsensus(header, parent, rules, reject);
  checkDaoExtraData(header, spec, reject);
  checkMembers(header, rules, reject);
  if (rules.has(1559) && header.baseFeePerGas !== nextBaseFeePerGas(parent)) {
    throw reject(`baseFeePerGas ${header.baseFeePerGas} is not ${nextBaseFeePerGas(parent)}`);
  }
  if (rules.has(4844)) {
    const schedule = spec.blobSchedule(rules.hardfork);
    checkBlobGas(header, schedule.max, reject);
    const excess = nextExcessBlobGas(parent, rules, schedule);
    if (header.excessBlobGas !== excess) throw reject(`excessBlobGas ${header.excessBlobGas} is not ${excess}`);
  }
}

/** The error that refuses a block. */
export function blockRejected(number: bigint, rule: string, cause?: unknown): InvalidParamsError {
  return new InvalidParamsError({ code: "BLOCK_REJECTED", what: `Block ${number} is not valid: ${rule}.`, cause });
}

type Reject = (rule: string) => InvalidParamsError;

function checkGasLimit(header: Header, parent: Header, rules: Rules, reject: Reject): void {
  const isFirstWithBaseFee = rules.has(1559) && parent.baseFeePerGas === undefined;
  const parentGasLimit = isFirstWithBaseFee ? parent.gasLimit * ELASTICITY : parent.gasLimit;
  const bound = parentGasLimit / GAS_LIMIT_BOUND_DIVISOR;
  const difference = header.gasLimit - parentGasLimit;
  if ((difference < 0n ? -difference : difference) >= bound) {
    throw reject(`gasLimit ${header.gasLimit} differs from the parent's ${parentGasLimit} by ${bound} or more`);
  }
  if (header.gasLimit < MINIMUM_GAS_LIMIT) throw reject(`gasLimit ${header.gasLimit} is below ${MINIMUM_GAS_LIMIT}`);
  if (header.gasLimit > MAXIMUM_GAS_LIMIT) throw reject(`gasLimit ${header.gasLimit} exceeds 2^63-1`);
}

function checkConsensus(header: Header, parent: Header, rules: Rules, reject: Reject): void {
  if (!rules.has(3675)) {
    const difficulty = nextDifficulty(parent, header.timestamp, rules);
    if (header.difficulty !== difficulty) throw reject(`difficulty ${header.difficulty} is not ${difficulty}`);
    return;
  }
  if (header.difficulty !== 0n) throw reject(`difficulty ${header.difficulty} is not 0 after the Merge`);
  if (!equalBytes(header.nonce, ZERO_NONCE)) throw reject("nonce is not zero after the Merge");
  if (!equalBytes(header.unclesHash, EMPTY_UNCLES_HASH)) throw reject("there are uncles after the Merge");
}

function checkDaoExtraData(header: Header, spec: ChainSpec, reject: Reject): void {
  const required = requiredExtraData(spec.schedule, header.number);
  if (required === undefined || equalBytes(header.extraData, required)) return;
  throw reject('extraData is not "dao-hard-fork"');
}

/** Checks which members a header has. Hardforks append members, and the RLP list does not name them. */
function checkMembers(header: Header, rules: Rules, reject: Reject): void {
  const members: readonly (readonly [name: string, value: bigint | Bytes | undefined, expected: boolean])[] = [
    ["baseFeePerGas", header.baseFeePerGas, rules.has(1559)],
    ["withdrawalsRoot", header.withdrawalsRoot, rules.has(4895)],
    ["blobGasUsed", header.blobGasUsed, rules.has(4844)],
    ["excessBlobGas", header.excessBlobGas, rules.has(4844)],
    ["parentBeaconBlockRoot", header.parentBeaconBlockRoot, rules.has(4788)],
    ["requestsHash", header.requestsHash, rules.has(7685)],
    ["blockAccessListHash", header.blockAccessListHash, rules.has(7928)],
    ["slotNumber", header.slotNumber, rules.has(7843)],
  ];
  for (const [name, value, expected] of members) {
    if (expected && value === undefined) throw reject(`${name} is missing in ${hardforkName(rules.hardfork)}`);
    if (!expected && value !== undefined) throw reject(`${name} is not allowed in ${hardforkName(rules.hardfork)}`);
  }
}

function checkBlobGas(header: Header, maxBlobs: bigint, reject: Reject): void {
  const blobGasUsed = header.blobGasUsed ?? 0n;
  const limit = maxBlobs * BLOB_GAS_PER_BLOB;
  if (blobGasUsed > limit) throw reject(`blobGasUsed ${blobGasUsed} exceeds ${limit}`);
  if (blobGasUsed % BLOB_GAS_PER_BLOB !== 0n)
    throw reject(`blobGasUsed ${blobGasUsed} is not a multiple of ${BLOB_GAS_PER_BLOB}`);
}
