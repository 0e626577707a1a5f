/**
 * All tables of the chain store: parts of their keys and layout of their values.
 *
 * A key is the table's one-byte prefix followed by its parts, each of fixed width and big-endian, so that keys sort
 * like their numbers. Any change makes existing folders unreadable and must raise {@link SCHEMA_VERSION}.
 */

/**
 * Written to `hindcast.json`. A folder of a newer version is refused and not changed. Version 2 added `derivedStates`,
 * version 3 their entries for forks, version 4 the gas of receipts in two dimensions; a folder of an older version is
 * upgraded when it is opened.
 */
export const SCHEMA_VERSION = 4;
/** Folders of an earlier version are refused with the advice to export and import. */
export const OLDEST_READABLE_VERSION = 1;

/** Widths of key parts in bytes. */
export const widths = {
  slot: 1,
  hash: 32,
  blockHash: 32,
  txHash: 32,
  blockNumber: 8,
  address: 20,
  topicPosition: 1,
  topic: 32,
  logIndex: 4,
  txIndex: 4,
  /** UTF-8 or a key, up to the end of the key; only as the last part. */
  name: Number.POSITIVE_INFINITY,
} as const;

/** The layout of a table. */
export interface Table {
  readonly prefix: number;
  readonly key: readonly (keyof typeof widths)[];
  /** Layout of the value, widths in parentheses. */
  readonly value: string;
  /**
   * True for tables that are read by range or in a snapshot. The others are only read by whole keys, whose values never
   * change.
   */
  readonly ordered?: true;
}

// biome-ignore format: one line a table, so that all of them are read on one screen and none is broken by its length
/** By name, in the order of their prefixes. */
export const tables = {
  meta:              { prefix: 0x01, key: ["slot"],                   value: "by slot, see metaSlots", ordered: true },
  settings:          { prefix: 0x02, key: ["name"],                   value: "what the owner of the setting put there", ordered: true },

  headers:           { prefix: 0x10, key: ["blockHash"],              value: "RLP of the header", ordered: true },
  bodies:            { prefix: 0x11, key: ["blockHash"],              value: "RLP of [transactions, uncle headers, withdrawals?]" },
  receipts:          { prefix: 0x12, key: ["blockHash"],              value: "RLP: per tx [type, status | stateRoot(32), cumulativeGasUsed, contractAddress | empty, logs], with EIP-8037 also executionGasUsed, stateGasUsed, gasRefund; absent without txs" },
  txHashes:          { prefix: 0x13, key: ["blockHash"],              value: "txHash(32) per tx; absent without txs" },
  totalDifficulties: { prefix: 0x14, key: ["blockHash"],              value: "integer without leading zeros" },
  traceAddresses:    { prefix: 0x16, key: ["blockHash"],              value: "address(20) of each account in the block's traces; absent without any" },
  startStateRoots:   { prefix: 0x15, key: ["blockHash"],              value: "stateRoot(32); only where edits came before the block" },

  // Not part of the body, because the list is not part of the block itself.
  blockAccessLists:  { prefix: 0x17, key: ["blockHash"],              value: "RLP of the block access list; absent without EIP-7928" },

  canonicalHashes:   { prefix: 0x20, key: ["blockNumber"],            value: "blockHash(32)", ordered: true },
  blocksByNumber:    { prefix: 0x21, key: ["blockNumber", "blockHash"], value: "parentHash(32); side blocks too", ordered: true },
  transactions:      { prefix: 0x22, key: ["txHash"],                 value: "blockNumber(8) txIndex(4); canonical blocks only", ordered: true },
  senders:           { prefix: 0x23, key: ["txHash"],                 value: "address(20); only impersonated transactions" },

  trieNodes:         { prefix: 0x30, key: ["hash"],                   value: "RLP of the node" },
  codes:             { prefix: 0x31, key: ["hash"],                   value: "code" },

  // States whose trie nodes are not stored, as of most blocks without transactions.
  derivedStates:     { prefix: 0x33, key: ["hash"],                   value: "by stateRoot, RLP: stateRoot of the base, then per write address, slot | empty, value | balance; on a fork by true stateRoot, RLP: [root(32) of the trie of changes]" },

  // Preimages of the tries' hashed keys, so that accounts and slots can be listed by address and number.
  preimages:         { prefix: 0x32, key: ["hash"],                   value: "address(20) or slot(32)" },

  // Logs of canonical blocks. The key is the whole entry; logIndex counts within the block.
  logs:              { prefix: 0x40, key: ["blockNumber", "logIndex", "txIndex"], value: "", ordered: true },
  logsByAddress:     { prefix: 0x41, key: ["address", "blockNumber", "logIndex", "txIndex"], value: "", ordered: true },
  logsByTopic:       { prefix: 0x42, key: ["topicPosition", "topic", "blockNumber", "logIndex", "txIndex"], value: "", ordered: true },

  // Canonical blocks whose traces contain an address as sender, recipient, or author of a reward.
  tracesByAddress:   { prefix: 0x43, key: ["address", "blockNumber"], value: "", ordered: true },

  // Only in branches: keys of the shared store that the branch has deleted.
  deletedKeys:       { prefix: 0xf0, key: ["name"],                   value: "", ordered: true },
} as const satisfies Record<string, Table>;

/** The name of a table. */
export type TableName = keyof typeof tables;

/** Tables whose key is one 32-byte hash. */
export type HashTable = {
  [Name in TableName]: (typeof tables)[Name]["key"] extends readonly ["hash" | "blockHash" | "txHash"] ? Name : never;
}[TableName];

/** The name of a table that can be read by range. */
export type OrderedTable = {
  [Name in TableName]: (typeof tables)[Name] extends { readonly ordered: true } ? Name : never;
}[TableName];

/** Key byte of each entry in the table `meta`. */
export const metaSlots = {
  /** integer(1): {@link SCHEMA_VERSION} */
  version: 0x01,
  /** hash(32) */
  genesisHash: 0x02,
  /** integer without leading zeros */
  chainId: 0x03,
  /** blockHash(32) each */
  head: 0x10,
  safe: 0x11,
  finalized: 0x12,
  /** stateRoot(32) of the head with edits; absent without edits. */
  editedStateRoot: 0x13,
  /** seconds(8, or 9 from 2^63 on), two's complement: chain time minus clock */
  timeOffset: 0x14,
} as const;

/** The name of an entry of the table `meta`. */
export type MetaSlot = keyof typeof metaSlots;
