/**
 * Reads the files of Anvil's `--dump-state` and `anvil_dumpState` (observed: Anvil 1.7.1): accounts at the head, and
 * blocks with their transactions and receipts.
 *
 * Older states are missing from a file, or are account lists that no header commits to. So after loading only the
 * newest state can be queried.
 */

import type { z } from "zod";
import { type ChainCopy, type CopiedBlock, invalidStateFile } from "../../../chain/chain-copy.ts";
import type { ChainSpec } from "../../../chainspec/chain-spec.ts";
import type { GenesisAccount, StorageEntry } from "../../../chainspec/genesis/genesis.ts";
import { hashHeader } from "../../../chainspec/header/header.ts";
import { decodeTransaction } from "../../../chainspec/transaction/decode-transaction.ts";
import { HindcastError } from "../../../errors/hindcast-error.ts";
import { type Bytes, bytesKey, equalBytes, stripLeadingZeros } from "../../../primitives/bytes/bytes.ts";
import { STATE_JSON } from "../../../primitives/json/json-limits.ts";
import { readJsonBytes } from "../../../primitives/json/read-json.ts";
import { Breaks } from "../../../primitives/platform/turns.ts";
import { quickReader, REFUSED } from "../../../primitives/validation/quick-reader.ts";
import { describeIssue, PARSING } from "../../../primitives/validation/schema-issue.ts";
import type { OwnStateId } from "../../../state/state-id.ts";
import { blockOf, encodeTransaction, type ReceiptRow, readHeader, receiptsByBlock } from "./anvil-block.ts";
import {
  account,
  address as addressShape,
  blockRow,
  blockTransaction,
  FILE_MEMBERS,
  file,
  receiptRow,
  word,
} from "./anvil-schema.ts";
import { PackedStorage } from "./packed-storage.ts";

/** The content of an Anvil file. */
export interface AnvilState {
  readonly accounts: readonly GenesisAccount[];
  /** In ascending order up to the head; empty in files that hold only accounts. */
  readonly blocks: readonly CopiedBlock[];
}

/**
 * Reads a file, gzipped or not, yielding to the event loop. Unknown members are ignored.
 *
 * @param limits - most values that the file may have
 * @throws {InvalidParamsError} `STATE_FILE_INVALID` with the name of the malformed member
 * @throws {LimitError} `JSON_TOO_DEEP`, `JSON_TOO_MANY_VALUES`, `JSON_VALUE_TOO_LONG`, and errors of the chunks
 */
export async function readAnvilState(
  chunks: AsyncIterable<Bytes>,
  spec: ChainSpec,
  limits: { readonly stateFileValues: number },
): Promise<AnvilState> {
  const json = await readJsonBytes(chunks, {
    limits: { ...STATE_JSON, values: limits.stateFileValues, flag: "--state-file-values" },
    wants: (name) => FILE_MEMBERS.has(name),
    mapOf: (name) => (name === "storage" ? new PackedStorage() : undefined),
  }).catch(refuseText);
  try {
    return await new AnvilReader(spec).read(json);
  } catch (error) {
    if (error instanceof HindcastError && error.code !== "STATE_FILE_INVALID")
      throw invalidStateFile(error.message, error);
    throw error;
  }
}

function refuseText(cause: Error): never {
  if (!(cause instanceof SyntaxError)) throw cause;
  throw invalidStateFile("It is neither a state file of this node nor JSON.", cause);
}

/** A value of the file, parsed by a schema. @throws {InvalidParamsError} `STATE_FILE_INVALID` */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  const read = quickReader(schema)(value);
  if (read !== REFUSED) return read as z.output<Schema>;
  const parsed = schema.safeParse(value, PARSING);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  throw invalidStateFile(`It is JSON, but not Anvil's: ${describeIssue(issue, path, value)}.`);
}

/** Parses the members of the file one by one. */
class AnvilReader {
  readonly #spec: ChainSpec;
  readonly #breaks = new Breaks();

  constructor(spec: ChainSpec) {
    this.#spec = spec;
  }

  async read(json: unknown): Promise<AnvilState> {
    const { accounts, blocks, transactions, best_block_number: head } = parse(file, json, "file");
    const rows = await this.#each(transactions ?? [], (row, index) =>
      parse(receiptRow, row, `file.transactions[${index}]`),
    );
    const receipts = receiptsByBlock(rows);
    const parsed = await this.#each(blocks ?? [], (block, index) => parse(blockRow, block, `file.blocks[${index}]`));
    const ascending = parsed
      .filter((block) => head == null || block.header.number <= head)
      .sort((left, right) => (left.header.number < right.header.number ? -1 : 1));
    const read: GenesisAccount[] = [];
    for (const [address, members] of Object.entries(accounts)) {
      read.push(await this.#account(address, members));
      const turn = this.#breaks.check();
      if (turn !== undefined) await turn;
    }
    const copied: CopiedBlock[] = [];
    for (const block of ascending) copied.push(await this.#block(block, receipts));
    return { accounts: read, blocks: copied };
  }

  async #block(
    row: z.output<typeof blockRow>,
    receipts: ReadonlyMap<string, readonly ReceiptRow[]>,
  ): Promise<CopiedBlock> {
    const read = readHeader(row.header);
    const { number, timestamp } = read;
    const spec = this.#spec;
    const signatureRules = spec.signatureRules(spec.hardforkAt({ number, timestamp, parentTotalDifficulty: 0n }));
    const transactions = await this.#each(row.transactions, (json, index) => {
      const entry = parse(blockTransaction, json, `file.blocks: block ${number}: transactions[${index}]`);
      return decodeTransaction(
        encodeTransaction(entry.transaction),
        signatureRules,
        entry.impersonated_sender ?? undefined,
      );
    });
    return blockOf(read, transactions, receipts.get(bytesKey(hashHeader(read))) ?? []);
  }

  async #account(address: string, json: unknown): Promise<GenesisAccount> {
    const path = `file.accounts.${address}`;
    const { storage, ...members } = parse(account, json, path);
    const read = ([slot, value]: readonly [string, unknown]): StorageEntry => ({
      slot: parse(word, slot, `${path}.storage: a slot`),
      value: stripLeadingZeros(parse(word, value, `${path}.storage.${slot}`)),
    });
    const isPacked = storage instanceof PackedStorage;
    if (isPacked && storage.wrong !== undefined) read(storage.wrong);
    const slots = isPacked ? storage : await this.#each(Object.entries(storage), read);
    return { address: parse(addressShape, address, `${path}: its address`), ...members, storage: slots };
  }

  async #each<Item, Result>(
    items: Iterable<Item>,
    read: (item: Item, index: number) => Result,
  ): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (const item of items) {
      results.push(read(item, results.length));
      const turn = this.#breaks.check();
      if (turn !== undefined) await turn;
    }
    return results;
  }
}

/** A chain copy made of these blocks and the newest state. */
export function copyOfAnvil(
  state: AnvilState,
  stateRoot: OwnStateId,
  nodes: Pick<ChainCopy, "trieNodes" | "codes">,
): ChainCopy {
  const head = state.blocks.at(-1)?.block.header;
  const isHeads = head !== undefined && equalBytes(head.stateRoot, stateRoot);
  return {
    blocks: state.blocks,
    ...nodes,
    editedStateId: isHeads ? undefined : stateRoot,
    importedNumber: 0n,
    oldestState: head?.number ?? 0n,
  };
}
