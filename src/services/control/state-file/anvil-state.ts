/**
 * Reads what Anvil's `--dump-state` and `anvil_dumpState` write (observed: Anvil 1.7.1): accounts as they are at the head,
 * and blocks with their transactions and receipts. Older states are not in it, or only as account lists that no header
 * commits to, so that only the newest can be asked for after loading.
 */
import { RLP } from "@ethereumjs/rlp";
import { z } from "zod";
import { type ChainCopy, type CopiedBlock, invalidStateFile } from "../../../chain/chain-copy.ts";
import { makeBlock } from "../../../chainspec/block.ts";
import type { ChainSpec } from "../../../chainspec/chain-spec.ts";
import { decodeTransaction } from "../../../chainspec/decode-transaction.ts";
import type { GenesisAccount } from "../../../chainspec/genesis.ts";
import { type Header, hashHeader } from "../../../chainspec/header.ts";
import type { Receipt } from "../../../chainspec/receipt.ts";
import type { Transaction } from "../../../chainspec/transaction.ts";
import { HindcastError } from "../../../errors/hindcast-error.ts";
import { bloomOfLogs } from "../../../primitives/bloom.ts";
import {
  type Bytes,
  bigIntToBytes,
  bytesKey,
  concatBytes,
  EMPTY_BYTES,
  equalBytes,
  padBytesLeft,
  stripLeadingZeros,
} from "../../../primitives/bytes.ts";
import { decodeData } from "../../../primitives/hex.ts";
import { describeIssue, PARSING } from "../../../primitives/schema-issue.ts";

/** What an Anvil file holds. */
export interface AnvilState {
  readonly accounts: readonly GenesisAccount[];
  /** Ascending from the first to the head; empty in files that hold accounts only. */
  readonly blocks: readonly CopiedBlock[];
}

const DATA = "expected DATA";
const data = z
  .string(DATA)
  .regex(/^0x([0-9a-fA-F]{2})*$/, DATA)
  .transform((text) => decodeData(text));
const INTEGER = "expected a whole number from 0";
const integer = z
  .union([z.int(INTEGER).nonnegative(INTEGER), z.string().regex(/^(?:0x[0-9a-fA-F]+|\d+)$/, INTEGER)], INTEGER)
  .transform(BigInt);
const WORD = "expected DATA or a QUANTITY of 32 bytes";
/** 32 bytes, whether written as DATA or as a QUANTITY. */
const word = z
  .string(WORD)
  .regex(/^0x[0-9a-fA-F]{0,64}$/, WORD)
  .transform((text) => decodeData(`0x${text.slice(2).padStart(64, "0")}`));

const account = z.object({
  nonce: integer,
  balance: integer,
  code: data,
  storage: z.record(z.string(), word),
});

const header = z.object({
  parentHash: data,
  sha3Uncles: data,
  miner: data,
  stateRoot: data,
  transactionsRoot: data,
  receiptsRoot: data,
  logsBloom: data,
  difficulty: integer,
  number: integer,
  gasLimit: integer,
  gasUsed: integer,
  timestamp: integer,
  extraData: data,
  mixHash: data,
  nonce: data,
  baseFeePerGas: integer.nullish(),
  withdrawalsRoot: data.nullish(),
  blobGasUsed: integer.nullish(),
  excessBlobGas: integer.nullish(),
  parentBeaconBlockRoot: data.nullish(),
  requestsHash: data.nullish(),
});

const transaction = z.object({
  type: integer.nullish(),
  chainId: integer.nullish(),
  nonce: integer,
  gas: integer,
  gasPrice: integer.nullish(),
  maxFeePerGas: integer.nullish(),
  maxPriorityFeePerGas: integer.nullish(),
  maxFeePerBlobGas: integer.nullish(),
  blobVersionedHashes: z.array(data).nullish(),
  to: data.nullish(),
  value: integer,
  input: data,
  accessList: z.array(z.object({ address: data, storageKeys: z.array(data) })).nullish(),
  authorizationList: z
    .array(z.object({ chainId: integer, address: data, nonce: integer, yParity: integer, r: integer, s: integer }))
    .nullish(),
  v: integer.nullish(),
  yParity: integer.nullish(),
  r: integer,
  s: integer,
});

const receipt = z.object({
  type: integer.nullish(),
  status: integer,
  cumulativeGasUsed: integer,
  logs: z.array(z.object({ address: data, topics: z.array(data), data })),
});

const file = z.object({
  best_block_number: integer.nullish(),
  accounts: z.record(z.string(), account),
  blocks: z
    .array(
      z.object({
        header,
        transactions: z.array(z.object({ transaction, impersonated_sender: data.nullish() })),
        ommers: z.array(z.unknown()).max(0, "uncles are not expected"),
      }),
    )
    .nullish(),
  transactions: z
    .array(
      z.object({
        info: z.object({ transaction_index: z.int(), contract_address: data.nullish() }),
        receipt,
        block_hash: data,
      }),
    )
    .nullish(),
});

/**
 * Reads the parsed JSON of a file.
 *
 * @throws {InvalidParamsError} `STATE_FILE_INVALID` naming the member that is not understood
 */
export function readAnvilState(json: unknown, spec: ChainSpec): AnvilState {
  const parsed = file.safeParse(json, PARSING);
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as z.core.$ZodIssue;
    throw invalidStateFile(`It is JSON, but not Anvil's: ${describeIssue(issue, "file", json)}.`);
  }
  const { accounts, blocks, transactions, best_block_number: head } = parsed.data;
  const receipts = receiptsByBlock(transactions ?? []);
  const ascending = (blocks ?? [])
    .filter((block) => head == null || block.header.number <= head)
    .sort((left, right) => (left.header.number < right.header.number ? -1 : 1));
  try {
    return {
      accounts: Object.entries(accounts).map(readAccount),
      blocks: ascending.map((block) => readBlock(block, receipts, spec)),
    };
  } catch (error) {
    if (error instanceof HindcastError) throw invalidStateFile(error.message, error);
    throw error;
  }
}

function readAccount([address, { storage, ...members }]: [string, z.output<typeof account>]): GenesisAccount {
  const slots = Object.entries(storage).map(([slot, value]) => ({
    slot: word.parse(slot),
    value: stripLeadingZeros(value),
  }));
  return { address: padBytesLeft(data.parse(address), 20), ...members, storage: slots };
}

type ReceiptRow = NonNullable<z.output<typeof file>["transactions"]>[number];

function receiptsByBlock(rows: readonly ReceiptRow[]): ReadonlyMap<string, readonly ReceiptRow[]> {
  const byBlock = new Map<string, ReceiptRow[]>();
  for (const row of rows) {
    const key = bytesKey(row.block_hash);
    byBlock.set(key, [...(byBlock.get(key) ?? []), row]);
  }
  for (const list of byBlock.values()) {
    list.sort((left, right) => left.info.transaction_index - right.info.transaction_index);
  }
  return byBlock;
}

function readBlock(
  block: NonNullable<z.output<typeof file>["blocks"]>[number],
  receipts: ReadonlyMap<string, readonly ReceiptRow[]>,
  spec: ChainSpec,
): CopiedBlock {
  const read = readHeader(block.header);
  const { number, timestamp } = read;
  const common = spec.common(spec.hardforkAt({ number, timestamp, parentTotalDifficulty: 0n }));
  const transactions = block.transactions.map((entry) =>
    decodeTransaction(encodeTransaction(entry.transaction), common, entry.impersonated_sender ?? undefined),
  );
  const rows = receipts.get(bytesKey(hashHeader(read))) ?? [];
  const withdrawals = read.withdrawalsRoot === undefined ? undefined : [];
  return {
    block: makeBlock(read, { transactions, uncles: [], withdrawals }),
    receipts: rows.map(readReceipt),
    startRoot: undefined,
    traceAddresses: addressesOf(read, transactions, rows),
  };
}

function readHeader({ sha3Uncles, miner, ...members }: z.output<typeof header>): Header {
  return {
    ...members,
    unclesHash: sha3Uncles,
    coinbase: miner,
    baseFeePerGas: members.baseFeePerGas ?? undefined,
    withdrawalsRoot: members.withdrawalsRoot ?? undefined,
    blobGasUsed: members.blobGasUsed ?? undefined,
    excessBlobGas: members.excessBlobGas ?? undefined,
    parentBeaconBlockRoot: members.parentBeaconBlockRoot ?? undefined,
    requestsHash: members.requestsHash ?? undefined,
  };
}

function readReceipt({ info, receipt: members }: ReceiptRow): Receipt {
  return {
    type: Number(members.type ?? 0n),
    status: members.status === 1n,
    stateRoot: undefined,
    cumulativeGasUsed: members.cumulativeGasUsed,
    contractAddress: info.contract_address ?? undefined,
    logs: members.logs,
    logsBloom: bloomOfLogs(members.logs),
  };
}

/** Senders, receivers, contracts, and emitters of logs: what is known of a block's traces without running it. */
function addressesOf(read: Header, transactions: readonly Transaction[], rows: readonly ReceiptRow[]): Bytes[] {
  const addresses = [
    read.coinbase,
    ...transactions.flatMap((tx) => [tx.sender, ...(tx.to === undefined ? [] : [tx.to])]),
    ...rows.flatMap(({ info, receipt: { logs } }) => [
      ...(info.contract_address == null ? [] : [info.contract_address]),
      ...logs.map(({ address }) => address),
    ]),
  ];
  return addresses.filter((address, index) => addresses.findIndex((other) => equalBytes(other, address)) === index);
}

/** The EIP-2718 bytes of a transaction. */
function encodeTransaction(tx: z.output<typeof transaction>): Bytes {
  const type = Number(tx.type ?? 0n);
  const number = (value: bigint | null | undefined): Bytes => bigIntToBytes(value ?? 0n);
  const target = [number(tx.gas), tx.to ?? EMPTY_BYTES, number(tx.value), tx.input];
  const signature = [number(tx.r), number(tx.s)];
  if (type === 0) return RLP.encode([number(tx.nonce), number(tx.gasPrice), ...target, number(tx.v), ...signature]);
  const accessList = (tx.accessList ?? []).map(({ address, storageKeys }) => [address, storageKeys]);
  const fees = type === 1 ? [number(tx.gasPrice)] : [number(tx.maxPriorityFeePerGas), number(tx.maxFeePerGas)];
  const authorizations = (tx.authorizationList ?? []).map((entry) => [
    number(entry.chainId),
    entry.address,
    number(entry.nonce),
    number(entry.yParity),
    number(entry.r),
    number(entry.s),
  ]);
  const extras =
    type === 3 ? [number(tx.maxFeePerBlobGas), tx.blobVersionedHashes ?? []] : type === 4 ? [authorizations] : [];
  const payload = RLP.encode([
    number(tx.chainId),
    number(tx.nonce),
    ...fees,
    ...target,
    accessList,
    ...extras,
    number(tx.yParity ?? tx.v),
    ...signature,
  ]);
  return concatBytes(Uint8Array.of(type), payload);
}

/** The copy of a chain that these blocks and the newest state make. */
export function copyOfAnvil(
  state: AnvilState,
  stateRoot: Bytes,
  nodes: Pick<ChainCopy, "trieNodes" | "codes">,
): ChainCopy {
  const head = state.blocks.at(-1)?.block.header;
  const isHeads = head !== undefined && equalBytes(head.stateRoot, stateRoot);
  return {
    blocks: state.blocks,
    ...nodes,
    editedRoot: isHeads ? undefined : stateRoot,
    importedNumber: 0n,
    oldestState: head?.number ?? 0n,
  };
}
