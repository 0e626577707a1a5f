/**
 * Parses geth's genesis.json to a {@link Genesis}: fork schedule, header members and the initial state.
 *
 * Accepts what geth accepts (alloc keys without `0x`, numbers as decimal or hex strings or JSON numbers); refuses
 * everything that would silently change the genesis hash.
 */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import {
  type Bytes,
  bigIntToFixedBytes,
  EMPTY_BYTES,
  padBytesLeft,
  stripLeadingZeros,
} from "../../primitives/bytes/bytes.ts";
import { parseLosslessJson } from "../../primitives/json/lossless-json.ts";
import { fromHexDigits } from "../../primitives/platform/encodings.ts";
import { showValue } from "../../primitives/validation/show-value.ts";
import { type BlobSchedule, HARDFORKS, type Hardfork } from "../hardforks/hardforks.ts";
import type { Header } from "../header/header.ts";
import { ACCOUNT_MEMBERS, GENESIS_MEMBERS, genesisMembers } from "./genesis-members.ts";

/** An account of the initial state. wei; storage values have no leading zeros. */
export interface GenesisAccount {
  readonly address: Bytes;
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Bytes;
  readonly storage: ListedEntries<StorageEntry>;
}

/** A slot of 32 bytes, and its value without leading zeros. */
export interface StorageEntry {
  readonly slot: Bytes;
  readonly value: Bytes;
}

/** Entries as an array lists them. Those of a large account are made when they are read. */
export interface ListedEntries<Entry> extends Iterable<Entry> {
  readonly length: number;
  at(index: number): Entry | undefined;
}

/** Activation of each hardfork. */
export interface ForkSchedule {
  readonly chainId: bigint;
  /** By block number (proof of work). */
  readonly blocks: Readonly<Partial<Record<Hardfork, bigint>>>;
  /** By timestamp in seconds (from Shanghai on). */
  readonly times: Readonly<Partial<Record<Hardfork, bigint>>>;
  readonly terminalTotalDifficulty: bigint | undefined;
  /** A block from which on nodes that know of the Merge tell themselves from others: part of the fork identifier. */
  readonly mergeNetsplitBlock: bigint | undefined;
  /**
   * The first block without proof of work, where that is known; default {@link mergeNetsplitBlock}. No fork identifier has
   * it.
   */
  readonly mergeBlock?: bigint | undefined;
  readonly daoForkBlock: bigint | undefined;
  readonly daoForkSupport: boolean;
  readonly blobSchedules: Readonly<Partial<Record<Hardfork, BlobSchedule>>>;
  readonly depositContract: Bytes | undefined;
}

type Roots = "stateRoot" | "transactionsRoot" | "receiptsRoot" | "withdrawalsRoot";
type Hashes = "unclesHash" | "logsBloom" | "requestsHash" | "blockAccessListHash";

/** Header members a genesis may set: those that do not follow from the accounts and from the empty body. */
export type GenesisHeaderFields = Omit<Header, Roots | Hashes>;

/** The first block of a chain before it is built: its rules, header and accounts. */
export interface Genesis {
  readonly schedule: ForkSchedule;
  readonly header: GenesisHeaderFields;
  readonly alloc: readonly GenesisAccount[];
}

/** Members of `config` that say at which block a hardfork begins. */
export const FORK_BLOCK_MEMBERS: Readonly<Partial<Record<Hardfork, string>>> = {
  homestead: "homesteadBlock",
  tangerineWhistle: "eip150Block",
  spuriousDragon: "eip158Block",
  byzantium: "byzantiumBlock",
  constantinople: "constantinopleBlock",
  petersburg: "petersburgBlock",
  istanbul: "istanbulBlock",
  muirGlacier: "muirGlacierBlock",
  berlin: "berlinBlock",
  london: "londonBlock",
  arrowGlacier: "arrowGlacierBlock",
  grayGlacier: "grayGlacierBlock",
};

/** All are optional, but a file without any of them is not a genesis. */
const USUAL_MEMBERS = ["config", "alloc", "gasLimit", "difficulty", "timestamp", "nonce", "number"] as const;

/** Decimal or hex, with a limit of digits, because millions of them would take seconds to parse. */
const INTEGER = /^(?:0x[0-9a-fA-F]{1,256}|[0-9]{1,256})$/;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses geth's genesis.json: from text, whose numbers keep every digit, or from parsed JSON.
 *
 * @throws {InvalidParamsError} `INVALID_GENESIS` with the member and the expected value
 */
export function parseGenesis(json: unknown): Genesis {
  const given = object(typeof json === "string" ? parseText(json) : json, "genesis");
  const root = genesisMembers(given, GENESIS_MEMBERS, "");
  if (!USUAL_MEMBERS.some((name) => name in root)) {
    throw invalid("genesis", "config, alloc or another member of a genesis", given);
  }
  const config = object(root.config ?? {}, "config");
  const alloc = object(root.alloc ?? {}, "alloc");
  return {
    schedule: parseSchedule(config),
    header: parseHeaderFields(root),
    alloc: Object.entries(alloc).map(([address, account]) => parseAccount(address, account)),
  };
}

function parseText(text: string): unknown {
  try {
    return parseLosslessJson(text);
  } catch (cause) {
    throw new InvalidParamsError({
      code: "INVALID_GENESIS",
      what: `The genesis is not JSON: ${(cause as SyntaxError).message}.`,
      fix: "Give what is in the file genesis.json, not its name.",
      cause,
    });
  }
}

function parseSchedule(config: JsonObject): ForkSchedule {
  // geth's own test files write some members with a capital letter. No two members differ only by case.
  const byLowerCase = new Map(Object.entries(config).map(([name, value]) => [name.toLowerCase(), value]));
  const member = (name: string, bits?: number): bigint | undefined =>
    optionalInteger(byLowerCase.get(name.toLowerCase()), `config.${name}`, bits);
  const blocks: Partial<Record<Hardfork, bigint>> = { chainstart: 0n };
  const times: Partial<Record<Hardfork, bigint>> = {};
  for (const hardfork of HARDFORKS) {
    const blockMember = FORK_BLOCK_MEMBERS[hardfork];
    const block = blockMember === undefined ? undefined : member(blockMember);
    if (block !== undefined) blocks[hardfork] = block;
    const time = blockMember === undefined ? member(`${hardfork}Time`) : undefined;
    if (time !== undefined) times[hardfork] = time;
  }
  // geth: a chain that names Constantinople but not Petersburg activates both at once.
  if (blocks.petersburg === undefined && blocks.constantinople !== undefined) blocks.petersburg = blocks.constantinople;
  const spuriousDragon = blocks.spuriousDragon ?? member("eip155Block");
  if (spuriousDragon !== undefined) blocks.spuriousDragon = spuriousDragon;
  const deposit = byLowerCase.get("depositcontractaddress");
  return {
    chainId: member("chainId", 256) ?? 1n,
    blocks,
    times,
    terminalTotalDifficulty: member("terminalTotalDifficulty"),
    mergeNetsplitBlock: member("mergeNetsplitBlock") ?? member("mergeForkBlock"),
    daoForkBlock: member("daoForkBlock"),
    daoForkSupport: byLowerCase.get("daoforksupport") === true,
    blobSchedules: parseBlobSchedules(byLowerCase.get("blobschedule")),
    depositContract: deposit === undefined ? undefined : fixedBytes(deposit, 20, "config.depositContractAddress"),
  };
}

function parseBlobSchedules(value: unknown): Partial<Record<Hardfork, BlobSchedule>> {
  const schedules: Partial<Record<Hardfork, BlobSchedule>> = {};
  if (value === undefined || value === null) return schedules;
  for (const [name, entry] of Object.entries(object(value, "config.blobSchedule"))) {
    const path = `config.blobSchedule.${name}`;
    const hardfork = HARDFORKS.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
    if (hardfork === undefined) continue;
    const members = object(entry, path);
    schedules[hardfork] = {
      target: integer(members.target, `${path}.target`, 64),
      max: integer(members.max, `${path}.max`, 64),
      baseFeeUpdateFraction: integer(members.baseFeeUpdateFraction, `${path}.baseFeeUpdateFraction`, 64),
    };
    // The price of blobs is divided by it. geth refuses it too.
    if (schedules[hardfork]?.baseFeeUpdateFraction === 0n) {
      throw invalid(`${path}.baseFeeUpdateFraction`, "a number above zero", 0);
    }
  }
  return schedules;
}

type Root = ReturnType<typeof genesisMembers<(typeof GENESIS_MEMBERS)[number]>>;

function parseHeaderFields(root: Root): GenesisHeaderFields {
  const quantity = (name: keyof Root, fallback: bigint, bits = 256): bigint =>
    optionalInteger(root[name], name, bits) ?? fallback;
  const fixed = (name: keyof Root, size: number): Bytes =>
    root[name] === undefined ? new Uint8Array(size) : fixedBytes(root[name], size, name);
  return {
    nonce: bigIntToFixedBytes(quantity("nonce", 0n, 64), 8),
    timestamp: quantity("timestamp", 0n, 64),
    extraData: root.extraData === undefined ? EMPTY_BYTES : bytes(root.extraData, "extraData"),
    gasLimit: quantity("gasLimit", 30_000_000n, 63),
    difficulty: quantity("difficulty", 131_072n),
    mixHash: fixed("mixHash", 32),
    coinbase: fixed("coinbase", 20),
    parentHash: fixed("parentHash", 32),
    number: checkedNumber(quantity("number", 0n, 64)),
    gasUsed: quantity("gasUsed", 0n, 64),
    baseFeePerGas: optionalInteger(root.baseFeePerGas ?? root.baseFee, "baseFeePerGas", 256),
    excessBlobGas: optionalInteger(root.excessBlobGas, "excessBlobGas", 64),
    slotNumber: optionalInteger(root.slotNumber, "slotNumber", 64),
    blobGasUsed: optionalInteger(root.blobGasUsed, "blobGasUsed", 64),
    parentBeaconBlockRoot:
      root.parentBeaconBlockRoot === undefined
        ? undefined
        : fixedBytes(root.parentBeaconBlockRoot, 32, "parentBeaconBlockRoot"),
  };
}

function parseAccount(addressText: string, value: unknown): GenesisAccount {
  const path = `alloc[${JSON.stringify(addressText)}]`;
  const account = genesisMembers(object(value, path), ACCOUNT_MEMBERS, `${path}.`);
  const storage = object(account.storage ?? {}, `${path}.storage`);
  return {
    address: fixedBytes(addressText, 20, path),
    nonce: optionalInteger(account.nonce, `${path}.nonce`, 64) ?? 0n,
    balance: optionalInteger(account.balance, `${path}.balance`, 256) ?? 0n,
    code: account.code === undefined || account.code === null ? EMPTY_BYTES : bytes(account.code, `${path}.code`),
    storage: Object.entries(storage).map(([slot, word]) => ({
      slot: wordBytes(slot, `${path}.storage`),
      value: stripLeadingZeros(wordBytes(word, `${path}.storage[${JSON.stringify(slot)}]`)),
    })),
  };
}

function object(value: unknown, path: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw invalid(path, "an object", value);
}

/** As in geth, the genesis of a file has number 0. */
function checkedNumber(number: bigint): bigint {
  if (number === 0n) return number;
  throw new InvalidParamsError({
    code: "INVALID_GENESIS",
    what: `genesis.json: number: expected 0, with which every chain begins, got ${number}.`,
    fix: "Leave it out.",
  });
}

function optionalInteger(value: unknown, path: string, bits?: number): bigint | undefined {
  return value === undefined || value === null ? undefined : integer(value, path, bits);
}

/** @param bits - largest size of the number; default: any */
function integer(value: unknown, path: string, bits?: number): bigint {
  const number = anyInteger(value, path);
  if (bits !== undefined && number >> BigInt(bits) !== 0n) throw invalid(path, `a number below 2^${bits}`, value);
  return number;
}

function anyInteger(value: unknown, path: string): bigint {
  if (typeof value === "bigint" && value >= 0n) return value;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  // A number such as a TTD of 2^256 has been rounded by JSON.parse.
  if (typeof value === "number" && Number.isInteger(value) && value > 0) {
    throw invalid(
      path,
      'an integer; write one above 2^53 as a string, "0x…" or decimal, so that no digit is lost',
      value,
    );
  }
  if (typeof value === "string" && INTEGER.test(value)) return BigInt(value);
  if (value === "0x") return 0n;
  throw invalid(path, 'a non-negative integer such as 1, "1" or "0x1"', value);
}

function bytes(value: unknown, path: string, allowOddDigits = false): Bytes {
  if (typeof value !== "string") throw invalid(path, "a hex string", value);
  let digits = value.startsWith("0x") ? value.slice(2) : value;
  if (allowOddDigits && digits.length % 2 === 1) digits = `0${digits}`;
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(digits)) throw invalid(path, "a hex string of whole bytes", value);
  return fromHexDigits(digits);
}

function wordBytes(value: unknown, path: string): Bytes {
  const decoded = bytes(value, path, true);
  if (decoded.length > 32) throw invalid(path, "hex of at most 32 bytes", value);
  return padBytesLeft(decoded, 32);
}

function fixedBytes(value: unknown, size: number, path: string): Bytes {
  const decoded = bytes(value, path);
  if (decoded.length !== size) throw invalid(path, `${size} bytes of hex`, value);
  return decoded;
}

function invalid(path: string, expected: string, value: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "INVALID_GENESIS",
    what: `genesis.json: ${path}: expected ${expected}, got ${showValue(value)}.`,
    fix: "Correct that member; the format is geth's genesis.json.",
  });
}
