/** Makes blocks, transactions and receipts from the rows of Anvil's state files. */

import type { z } from "zod";
import type { CopiedBlock } from "../../../chain/chain-copy.ts";
import { makeBlock } from "../../../chainspec/header/block.ts";
import type { Header } from "../../../chainspec/header/header.ts";
import type { Receipt } from "../../../chainspec/transaction/receipt.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import { type Bytes, bigIntToBytes, bytesKey, concatBytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { bloomOfLogs } from "../../../primitives/hash/bloom.ts";
import { encodeRlp } from "../../../primitives/rlp/rlp.ts";
import type { header, receiptRow, transaction } from "./anvil-schema.ts";

/** A receipt of a block in Anvil's file, after its schema. */
export type ReceiptRow = z.output<typeof receiptRow>;

/** The rows of each block, in order, by block hash. */
export function receiptsByBlock(rows: readonly ReceiptRow[]): ReadonlyMap<string, readonly ReceiptRow[]> {
  const byBlock = new Map<string, ReceiptRow[]>();
  for (const row of rows) {
    const key = bytesKey(row.block_hash);
    const list = byBlock.get(key);
    if (list === undefined) byBlock.set(key, [row]);
    else list.push(row);
  }
  for (const list of byBlock.values()) {
    list.sort((left, right) => left.info.transaction_index - right.info.transaction_index);
  }
  return byBlock;
}

/** A block with the receipts that its rows describe. */
export function blockOf(read: Header, transactions: readonly Transaction[], rows: readonly ReceiptRow[]): CopiedBlock {
  const withdrawals = read.withdrawalsRoot === undefined ? undefined : [];
  return {
    block: makeBlock(read, { transactions, uncles: [], withdrawals }),
    receipts: rows.map(readReceipt),
    startStateId: undefined,
    traceAddresses: addressesOf(read, transactions, rows),
  };
}

/** Renames the members that JSON-RPC names otherwise (`miner`, `sha3Uncles`). Null members become undefined. */
export function readHeader({ sha3Uncles, miner, ...members }: z.output<typeof header>): Header {
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
    blockAccessListHash: members.blockAccessListHash ?? undefined,
    slotNumber: members.slotNumber ?? undefined,
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

/**
 * Senders, recipients, contracts and emitters of logs: the addresses in a block's traces that are known without running
 * it.
 */
function addressesOf(read: Header, transactions: readonly Transaction[], rows: readonly ReceiptRow[]): Bytes[] {
  const addresses = [
    read.coinbase,
    ...transactions.flatMap((tx) => [tx.sender, ...(tx.to === undefined ? [] : [tx.to])]),
    ...rows.flatMap(({ info, receipt: { logs } }) => [
      ...(info.contract_address == null ? [] : [info.contract_address]),
      ...logs.map(({ address }) => address),
    ]),
  ];
  // By a map, because a block may have thousands.
  return [...new Map(addresses.map((address) => [bytesKey(address), address])).values()];
}

/** The EIP-2718 bytes of a transaction. */
export function encodeTransaction(tx: z.output<typeof transaction>): Bytes {
  const type = Number(tx.type ?? 0n);
  const number = (value: bigint | null | undefined): Bytes => bigIntToBytes(value ?? 0n);
  const target = [number(tx.gas), tx.to ?? EMPTY_BYTES, number(tx.value), tx.input];
  const signature = [number(tx.r), number(tx.s)];
  if (type === 0) return encodeRlp([number(tx.nonce), number(tx.gasPrice), ...target, number(tx.v), ...signature]);
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
  const payload = encodeRlp([
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
