/**
 * Habits of development nodes, in one table: a row is a behaviour, a column a dialect. A dialect never changes state,
 * gas, roots, hashes, `trace_*`, the path form, or the content of a data folder.
 *
 * The rooms below do not know dialects. `node` reads each row in one place, as `habits.<row>`, and gives its value to the
 * service that behaves so; a test counts the readers. `docs/dialects.md` shows the table.
 */

/** Names that the option `dialect` takes; the first is the default. */
export const DIALECTS = ["hindcast", "anvil", "hardhat", "ganache"] as const;

/** A development node whose habits are followed. */
export type Dialect = (typeof DIALECTS)[number];

/** A behaviour in each dialect, and where that was learned. */
export interface Row {
  /** Shown in documents, as Markdown. */
  readonly about: string;
  readonly source: string;
  readonly of: Readonly<Record<Dialect, unknown>>;
}

/** Observed by running the nodes of these versions; `test/peers/dialects.peers.ts` observes it again. */
const OBSERVED = "Anvil 1.7.1, Hardhat 3.18.0 and 2.28.6, Ganache 7.9.2";
/** The same, of nodes that have the method at all. */
const ANVIL_AND_HARDHAT = "Anvil 1.7.1, Hardhat 3.18.0 and 2.28.6; Ganache lacks the method";

/** The table. A value names a behaviour, or is the value that is answered. */
export const BEHAVIOURS = {
  haltData: {
    about: "`error.data` of an execution that halts: out of gas, INVALID, a stack that is too short",
    source: OBSERVED,
    of: { hindcast: undefined, anvil: undefined, hardhat: "0x", ganache: "0x" },
  },
  callFees: {
    about: "fees of `eth_call` and `eth_createAccessList`; a sender without funds, a fee cap below the base fee",
    source: OBSERVED,
    of: { hindcast: "charged", anvil: "floorless", hardhat: "lent", ganache: "free" },
  },
  estimateFees: {
    about: "the same of `eth_estimateGas`",
    source: OBSERVED,
    of: { hindcast: "charged", anvil: "floorless", hardhat: "lent", ganache: "lent" },
  },
  defaultSender: {
    about: "sender of a call without `from`",
    source: OBSERVED,
    of: { hindcast: "zero address", anvil: "zero address", hardhat: "first account", ganache: "zero address" },
  },
  looseParams: {
    about: '`10`, `"10"`, `"0x0a"`, `"0x"` as QUANTITY and `""` as DATA in a request',
    source: `${OBSERVED}; geth refuses all of them, Ganache decimal text and empty values`,
    of: { hindcast: false, anvil: true, hardhat: true, ganache: true },
  },
  poolAfterRevert: {
    about: "the pool after `evm_revert`",
    source: OBSERVED,
    of: { hindcast: "restored", anvil: "left", hardhat: "restored", ganache: "emptied" },
  },
  firstSnapshot: {
    about: "number of the first snapshot",
    source: OBSERVED,
    of: { hindcast: 0n, anvil: 0n, hardhat: 1n, ganache: 1n },
  },
  minedInterval: {
    about: "place of the interval of `hardhat_mine`; the block after them comes as soon as it can",
    source: ANVIL_AND_HARDHAT,
    of: {
      hindcast: "between blocks",
      anvil: "before each block",
      hardhat: "between blocks",
      ganache: "between blocks",
    },
  },
  intervalUnit: {
    about: "unit of `evm_setIntervalMining`",
    source: ANVIL_AND_HARDHAT,
    of: { hindcast: "seconds", anvil: "seconds", hardhat: "milliseconds", ganache: "seconds" },
  },
  setTimeUnit: {
    about: "unit of `evm_setTime`",
    source: "Anvil 1.7.1, Ganache 7.9.2; Hardhat lacks the method",
    of: { hindcast: "seconds", anvil: "seconds", hardhat: "seconds", ganache: "milliseconds" },
  },
  nonceEdits: {
    about: "`hardhat_setNonce` with less than the account has, or while transactions wait",
    source: ANVIL_AND_HARDHAT,
    of: { hindcast: "set", anvil: "set", hardhat: "refused", ganache: "set" },
  },
  wordLength: {
    about: "bytes of the value of `hardhat_setStorageAt` and of `hardhat_setPrevRandao`",
    source: ANVIL_AND_HARDHAT,
    of: { hindcast: "up to 32", anvil: "up to 32", hardhat: "32", ganache: "up to 32" },
  },
  minedAtHead: {
    about:
      "`evm_mine` with the timestamp of the head; Anvil's and Ganache's block has the same one, which the consensus forbids",
    source: OBSERVED,
    of: { hindcast: "refused", anvil: "a second later", hardhat: "a second later", ganache: "a second later" },
  },
  cheapTransactions: {
    about: "a fee cap below the base fee, or a price below the least one, with automine off",
    source: OBSERVED,
    of: { hindcast: "wait", anvil: "refused", hardhat: "wait", ganache: "wait" },
  },
  nonceGaps: {
    about: "a transaction behind a missing nonce, with automine on",
    source: OBSERVED,
    of: { hindcast: "wait", anvil: "wait", hardhat: "refused", ganache: "wait" },
  },
  emptyCreations: {
    about: "a transaction with neither `to` nor data",
    source: OBSERVED,
    of: { hindcast: "refused", anvil: "taken", hardhat: "refused", ganache: "taken" },
  },
  defaultGas: {
    about: "gas of a transaction that states none",
    source: OBSERVED,
    of: { hindcast: "estimated", anvil: "a block's if no estimate succeeds", hardhat: "estimated", ganache: 90_000n },
  },
  feeHistoryLength: {
    about: "`eth_feeHistory` of no block or of more than 1,024",
    source: OBSERVED,
    of: { hindcast: "clamped", anvil: "clamped", hardhat: "refused", ganache: "clamped" },
  },
  blobCalls: {
    about: "a call or an estimate with `blobs`; one with `blobVersionedHashes` alone runs",
    source: OBSERVED,
    of: { hindcast: "run", anvil: "run", hardhat: "refused", ganache: "run" },
  },
  emptyCalls: {
    about: "a call or an estimate with neither `to` nor data",
    source: OBSERVED,
    of: { hindcast: "run", anvil: "run", hardhat: "refused", ganache: "run" },
  },
  fullTransactions: {
    about: "whether the transactions of a block are whole where a request does not say so",
    source: OBSERVED,
    of: { hindcast: "refused", anvil: "refused", hardhat: "refused", ganache: "hashes" },
  },
  automineIsMining: {
    about: "answer of `eth_mining` with automine on",
    source: "Hardhat 2.28.6, Ganache 7.9.2; Anvil and Hardhat 3 lack the method",
    of: { hindcast: true, anvil: true, hardhat: false, ganache: true },
  },
  logsBeyondHead: {
    about: "`eth_getLogs` and `eth_getFilterLogs` of blocks beyond the head",
    source: `${OBSERVED}; Anvil refuses if the first block is beyond it`,
    of: { hindcast: "refused", anvil: "empty", hardhat: "empty", ganache: "empty" },
  },
  addedAccounts: {
    about:
      "an address that `evm_addAccount` adds; where it is locked, `personal_unlockAccount` opens it, and `evm_removeAccount` removes any account",
    source: "Ganache 7.9.2; the others lack the method",
    of: { hindcast: "impersonated", anvil: "impersonated", hardhat: "impersonated", ganache: "locked" },
  },
  failedTransactions: {
    about:
      "answer of `eth_sendTransaction` for a transaction that is mined and fails; `throwOnTransactionFailures` says otherwise",
    source: OBSERVED,
    of: { hindcast: "hash", anvil: "hash", hardhat: "error", ganache: "hash" },
  },
  errorWords: {
    about: "texts and codes of errors: reverts and halts, refused transactions, missing blocks, unknown methods",
    source: OBSERVED,
    of: { hindcast: "geth's", anvil: "Anvil's", hardhat: "Hardhat's", ganache: "Ganache's" },
  },
  doneAnswer: {
    about: "answer of methods that set something and have no other answer",
    source: OBSERVED,
    of: { hindcast: null, anvil: null, hardhat: true, ganache: true },
  },
  timeAnswer: {
    about:
      "answers of `evm_increaseTime` and of `evm_setNextBlockTimestamp` (which answers nothing where this is a number)",
    source: OBSERVED,
    of: { hindcast: "number", anvil: "number", hardhat: "text", ganache: "number" },
  },
  minedAnswer: {
    about: "answer of `evm_mine`",
    source: OBSERVED,
    of: { hindcast: "0x0", anvil: "0x0", hardhat: "0", ganache: "0x0" },
  },
  poolSenders: {
    about: "addresses that are keys of `txpool_content`",
    source: "Anvil 1.7.1, Ganache 7.9.2; Hardhat lacks the method",
    of: { hindcast: "checksummed", anvil: "lower case", hardhat: "checksummed", ganache: "lower case" },
  },
  unknownSubscriptions: {
    about: "`eth_unsubscribe` of an unknown id",
    source: OBSERVED,
    of: { hindcast: "refused", anvil: "false", hardhat: "false", ganache: "false" },
  },
  notifications: {
    about: "place of the notifications that a request causes",
    source: OBSERVED,
    of: {
      hindcast: "before answers",
      anvil: "after answers",
      hardhat: "before answers",
      ganache: "after answers",
    },
  },
  clientName: {
    about: "begin of `web3_clientVersion`, by which plugins know a development network",
    source: OBSERVED,
    of: { hindcast: "anvil", anvil: "anvil", hardhat: "HardhatNetwork", ganache: "Ganache/EthereumJS TestRPC" },
  },
} as const satisfies Readonly<Record<string, Row>>;

type Name = keyof typeof BEHAVIOURS;

/** The behaviours of one dialect. */
export type DialectBehaviour = { readonly [Behaviour in Name]: (typeof BEHAVIOURS)[Behaviour]["of"][Dialect] };

/** The column of a dialect. */
export function behaviourOf(dialect: Dialect = "hindcast"): DialectBehaviour {
  const rows = Object.entries<Row>(BEHAVIOURS);
  return Object.fromEntries(rows.map(([name, row]) => [name, row.of[dialect]])) as DialectBehaviour;
}
