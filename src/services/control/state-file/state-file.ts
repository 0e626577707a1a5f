/**
 * The state file: a chain with its blocks, receipts, states, edits and time, gzipped RLP. Version 1 is the list
 *
 *     "hindcast-state", version, chainId, schedule,
 *     timeOffset, oldestState, importedNumber, editedStateRoot | empty,
 *     [ [header, body, receipts, startStateRoot | empty, [sender | empty, …], [address, …]], … ],
 *     [ trieNode, … ], [ code, … ]
 *
 * - `schedule` is the fork schedule as JSON with sorted names; a node with a different schedule refuses the file.
 * - `timeOffset` is chain time minus clock in seconds, 8 bytes in two's complement.
 * - Blocks are those of the canonical chain in ascending order. `header` and `body` are their RLP; `receipts` has the
 *   form of the store's table. There is a sender for each transaction, empty if the signature gives it. The addresses
 *   are those in the block's traces.
 * - Nodes and codes are stored without their hashes. They make up all states from block `oldestState` on. Integers are
 *   big-endian without leading zeros.
 *
 * Version 2 is for forks: the hash of the pinned block follows, whose state is not in the file. Blocks begin after it;
 * nodes and codes are those changed since (`docs/forks.md`).
 *
 * Version 3 is for forks that have states with true roots. For each of them, its root and its entry in the store's table
 * `derivedStates` follow as a list of two:
 *
 *     [ [stateRoot, entry], … ]
 *
 * Versions 4 to 6 are versions 1 to 3 of chains that have blocks of Amsterdam: each block has its access list as seventh
 * item, which is empty if the block has none.
 *
 * A change of this layout raises the version; older versions stay readable.
 *
 * It has over 300 lines, because the format, its writer and its reader are compared with each other line by line.
 */

import { type ChainCopy, type CopiedBlock, invalidStateFile, type PinnedBelow } from "../../../chain/chain-copy.ts";
import type { ChainSpec } from "../../../chainspec/chain-spec.ts";
import { encodeBody, makeBlock, rawBodyFromList } from "../../../chainspec/header/block.ts";
import { decodeHeader, encodeHeader } from "../../../chainspec/header/header.ts";
import { transactionFromBodyItem } from "../../../chainspec/transaction/decode-transaction.ts";
import { HindcastError, InvalidParamsError, LimitError } from "../../../errors/hindcast-error.ts";
import { type Bytes, bigIntToBytes, bytesToBigInt, EMPTY_BYTES, equalBytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { zipped } from "../../../primitives/platform/compression.ts";
import { Breaks, mapInTurns } from "../../../primitives/platform/turns.ts";
import { decodeRlp } from "../../../primitives/rlp/rlp.ts";
import { byteListInPieces, listInPieces, rlpPiece } from "../../../primitives/rlp/rlp-pieces.ts";
import { RlpBudget, rlpItems, rlpString } from "../../../primitives/rlp/rlp-reader.ts";
import { storedStateId } from "../../../state/state-id.ts";
import type { HashedBytes } from "../../../state/view.ts";
import { decodeReceipts, encodeReceipts } from "../../../store/codecs/receipt-codec.ts";
import { decodeTimeOffset, encodeTimeOffset } from "../../../store/codecs/values.ts";

/** The content of a file. */
export interface SavedState {
  readonly copy: ChainCopy;
  /** Chain time minus clock, in seconds. */
  readonly timeOffset: bigint;
}

const MAGIC = new TextEncoder().encode("hindcast-state");
const RAISE_VALUES = "Raise the limit with --state-file-values or limits.stateFileValues.";
const VERSION = 1n;
const FORK_VERSION = 2n;
const PROVEN_FORK_VERSION = 3n;
/** Added to the version of a chain that has blocks of Amsterdam. */
const AMSTERDAM = 3n;

/** Encodes a chain, yielding to the event loop. The version is the lowest that can hold it: forks need a later one. */
export async function encodeStateFile({ copy, timeOffset }: SavedState, spec: ChainSpec): Promise<Bytes> {
  const { pinnedHash, derivedStates = [] } = copy;
  const withList = hasAmsterdam(copy);
  const values = [
    MAGIC,
    bigIntToBytes(versionOf(copy)),
    bigIntToBytes(spec.chainId),
    new TextEncoder().encode(scheduleText(spec)),
    encodeTimeOffset(timeOffset),
    bigIntToBytes(copy.oldestState),
    bigIntToBytes(copy.importedNumber),
    copy.editedStateId ?? EMPTY_BYTES,
  ];
  const blocks = await mapInTurns(copy.blocks, (block) => rlpPiece(blockToList(block, withList)));
  const derived = await mapInTurns(derivedStates, ({ hash, bytes }) => rlpPiece([hash, bytes]));
  const { pieces } = listInPieces([
    ...values.map(rlpPiece),
    listInPieces(blocks),
    byteListInPieces(copy.trieNodes),
    byteListInPieces(copy.codes),
    ...(pinnedHash === undefined ? [] : [rlpPiece(pinnedHash)]),
    ...(derived.length === 0 ? [] : [listInPieces(derived)]),
  ]);
  return zipped(pieces);
}

function versionOf(copy: ChainCopy): bigint {
  return layoutOf(copy) + (hasAmsterdam(copy) ? AMSTERDAM : 0n);
}

function layoutOf({ pinnedHash, derivedStates = [] }: ChainCopy): bigint {
  if (pinnedHash === undefined) return VERSION;
  return derivedStates.length === 0 ? FORK_VERSION : PROVEN_FORK_VERSION;
}

function hasAmsterdam({ blocks }: ChainCopy): boolean {
  return blocks.some(({ block }) => block.header.blockAccessListHash !== undefined);
}

function blockToList(
  { block, receipts, startStateId, traceAddresses, blockAccessList }: CopiedBlock,
  withList: boolean,
) {
  return [
    encodeHeader(block.header),
    encodeBody(block),
    encodeReceipts(receipts),
    startStateId ?? EMPTY_BYTES,
    block.transactions.map((tx) => (tx.isImpersonated ? tx.sender : EMPTY_BYTES)),
    [...traceAddresses],
    ...(withList ? [blockAccessList ?? EMPTY_BYTES] : []),
  ];
}

/** True if the unzipped bytes begin like a file of this format. */
export function isStateFile(bytes: Bytes): boolean {
  const [prefix = 0] = bytes;
  const start = prefix > 0xf7 ? 1 + (prefix - 0xf7) : 1;
  const name = bytes.subarray(start + 1, start + 1 + MAGIC.length);
  return prefix >= 0xc0 && equalBytes(name, MAGIC);
}

/**
 * Reads an unzipped file, yielding to the event loop.
 *
 * @param chain - the chain that the file will replace
 * @param limits - most items that the file may have
 * @throws {InvalidParamsError} `STATE_FILE_INVALID`, `STATE_FILE_MISMATCH`
 * @throws {LimitError} `TOO_MANY_ITEMS`
 */
export async function decodeStateFile(
  bytes: Bytes,
  chain: StateFileChain,
  limits: { readonly stateFileValues: number },
): Promise<SavedState> {
  try {
    return await new StateFileReader(
      chain,
      new RlpBudget(limits.stateFileValues, "file", RAISE_VALUES, "--state-file-values"),
    ).read(bytes);
  } catch (error) {
    if (error instanceof LimitError) throw error;
    if (error instanceof HindcastError && error.code.startsWith("STATE_FILE")) throw error;
    throw invalidStateFile("It is damaged.", error);
  }
}

/** Reads the items of a file in order. */
class StateFileReader {
  readonly #spec: ChainSpec;
  readonly #pinned: PinnedBelow | undefined;
  readonly #budget: RlpBudget;
  readonly #breaks = new Breaks();

  constructor({ spec, pinned }: StateFileChain, budget: RlpBudget) {
    this.#spec = spec;
    this.#pinned = pinned;
    this.#budget = budget;
  }

  async read(bytes: Bytes): Promise<SavedState> {
    const items = rlpItems(bytes);
    const next = (): Bytes => items.next().value ?? EMPTY_BYTES;
    rlpString(next());
    const version = bytesToBigInt(rlpString(next()));
    const newest = PROVEN_FORK_VERSION + AMSTERDAM;
    if (version < VERSION || version > newest) {
      throw invalidStateFile(`It has version ${version}, this node reads versions ${VERSION} to ${newest}.`);
    }
    const layout = version > PROVEN_FORK_VERSION ? version - AMSTERDAM : version;
    const chainId = bytesToBigInt(rlpString(next()));
    checkOrigin({ chainId, schedule: new TextDecoder().decode(rlpString(next())), bytes }, this.#spec);
    const timeOffset = decodeTimeOffset(rlpString(next()));
    const oldestState = bytesToBigInt(rlpString(next()));
    const importedNumber = bytesToBigInt(rlpString(next()));
    const editedStateId = rlpString(next());
    let parentTotalDifficulty = this.#pinned?.totalDifficulty ?? 0n;
    const blocks = await this.#each(next(), (row) => {
      const block = this.#block(row, parentTotalDifficulty);
      parentTotalDifficulty += block.block.header.difficulty;
      return block;
    });
    const trieNodes = await this.#each(next(), rlpString);
    const codes = await this.#each(next(), rlpString);
    const pinnedHash = layout >= FORK_VERSION ? rlpString(next()) : undefined;
    checkPin(pinnedHash, this.#pinned?.block.hash);
    const derivedStates = layout < PROVEN_FORK_VERSION ? undefined : await this.#each(next(), derivedStateOf);
    return {
      timeOffset,
      copy: {
        blocks,
        pinnedHash,
        trieNodes,
        codes,
        derivedStates,
        editedStateId: editedStateId.length === 0 ? undefined : storedStateId(editedStateId),
        importedNumber,
        oldestState,
      },
    };
  }

  async #each<Result>(list: Bytes, read: (item: Bytes) => Result): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (const item of rlpItems(list)) {
      this.#budget.take(item);
      results.push(read(item));
      const turn = this.#breaks.check();
      if (turn !== undefined) await turn;
    }
    return results;
  }

  #block(row: Bytes, parentTotalDifficulty: bigint): CopiedBlock {
    // The items within the row were counted before.
    const items = decodeRlp(row) as unknown as Row;
    const [headerBytes, bodyBytes, receipts, startStateId, senders, traceAddresses, blockAccessList = EMPTY_BYTES] =
      items;
    const spec = this.#spec;
    const header = decodeHeader(headerBytes);
    const body = rawBodyFromList(this.#decode(bodyBytes) as unknown[]);
    this.#budget.take(receipts);
    const { number, timestamp } = header;
    const signatureRules = spec.signatureRules(spec.hardforkAt({ number, timestamp, parentTotalDifficulty }));
    const transactions = body.transactions.map((item, index) => {
      const sender = senders[index] ?? EMPTY_BYTES;
      return transactionFromBodyItem(item, signatureRules, sender.length === 0 ? undefined : sender);
    });
    return {
      block: makeBlock(header, { ...body, transactions }),
      receipts: decodeReceipts(receipts),
      startStateId: startStateId.length === 0 ? undefined : storedStateId(startStateId),
      traceAddresses,
      blockAccessList: blockAccessList.length === 0 ? undefined : blockAccessList,
    };
  }

  #decode(bytes: Bytes): unknown {
    this.#budget.take(bytes);
    return decodeRlp(bytes);
  }
}

/** The chain that a file is loaded into. */
export interface StateFileChain {
  readonly spec: ChainSpec;
  /** On a fork: the block that the chain continues from. */
  readonly pinned: PinnedBelow | undefined;
}

function checkPin(ofFile: Bytes | undefined, ofNode: Bytes | undefined): void {
  const isSame = ofFile === undefined || ofNode === undefined ? ofFile === ofNode : equalBytes(ofFile, ofNode);
  if (isSame) return;
  const say = (hash: Bytes | undefined): string =>
    hash === undefined ? "no fork" : `a fork at block ${encodeData(hash)}`;
  throw new InvalidParamsError({
    code: "STATE_FILE_MISMATCH",
    what: `The file is of ${say(ofFile)}, this node is ${say(ofNode)}.`,
    fix: "Start the node on the fork that the file was written on: the file holds only what was changed since.",
  });
}

function derivedStateOf(item: Bytes): HashedBytes {
  const [hash, bytes] = decodeRlp(item) as readonly Bytes[];
  if (hash?.length !== 32 || !(bytes instanceof Uint8Array)) throw new RangeError("not the entry of a state");
  return { hash, bytes };
}

type Row = readonly [Bytes, Bytes, Bytes, Bytes, Bytes[], Bytes[], Bytes?];

/**
 * Timestamp of the first block of an unzipped file, in seconds. Hardforks may begin a number of seconds after it.
 * Undefined if the file is not of this format, or damaged.
 */
export function firstTimestampIn(bytes: Bytes): bigint | undefined {
  if (!isStateFile(bytes)) return undefined;
  try {
    const blocks = [...rlpItems(bytes)][BLOCKS] ?? EMPTY_BYTES;
    const [first = EMPTY_BYTES] = rlpItems(blocks);
    return decodeHeader((decodeRlp(first) as unknown as Row)[0]).timestamp;
  } catch {
    return undefined;
  }
}

/** Index of the list of blocks in a file. */
const BLOCKS = 8;

interface FileOrigin {
  readonly chainId: bigint;
  readonly schedule: string;
  readonly bytes: Bytes;
}

function checkOrigin({ chainId, schedule, bytes }: FileOrigin, spec: ChainSpec): void {
  if (chainId === spec.chainId && schedule === scheduleText(spec)) return;
  const start = firstTimestampIn(bytes);
  const ofStart =
    start === undefined ? "" : ` If a hardfork begins seconds after the first block, give its timestamp too: ${start}.`;
  throw new InvalidParamsError({
    code: "STATE_FILE_MISMATCH",
    what:
      chainId === spec.chainId
        ? "The file holds the state of a chain with other hardforks."
        : `The file holds the state of chain ${chainId}, this node's is ${spec.chainId}.`,
    where: `Its hardforks: ${schedule}.`,
    fix: `Start the node with the chain id and hardforks that the file was written with.${ofStart}`,
  });
}

/** The fork schedule as JSON with sorted names; numbers are hexadecimal. */
function scheduleText(spec: ChainSpec): string {
  const plain = (_key: string, value: unknown): unknown => {
    if (typeof value === "bigint") return `0x${value.toString(16)}`;
    if (value instanceof Uint8Array) return encodeData(value);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
  };
  return JSON.stringify(spec.schedule, plain);
}
