/**
 * The EIPs of execution, and the hardfork that brings each.
 *
 * Everything else asks for an EIP ({@link hasEip}, `Rules.has`), and nothing below the services asks for a hardfork by its
 * name. An EIP moves to another hardfork by its line here; EIPs 2780, 8037 and 8038 move together, since each of them
 * presupposes the others.
 */
import { type Hardfork, isAtLeast } from "./hardforks.ts";

/** The hardfork of each EIP, or the hardfork that brings it and the one that takes it out again. */
const SCHEDULE = {
  /**
   * Creations cost more, and fail if they cannot pay for their code; signatures have a low `s`; difficulty by the time of a
   * block.
   */
  2: "homestead",
  /** DELEGATECALL. */
  7: "homestead",

  /** Prices of what reads the state; a call passes on at most 63/64 of its gas. */
  150: "tangerineWhistle",

  /** Signatures name the chain. */
  155: "spuriousDragon",
  /** Price of EXP. */
  160: "spuriousDragon",
  /** Empty accounts are removed. */
  161: "spuriousDragon",
  /** Limit of code. */
  170: "spuriousDragon",

  /** Difficulty counts uncles. */
  100: "byzantium",
  /** REVERT. */
  140: "byzantium",
  /** Addition and multiplication on bn254. */
  196: "byzantium",
  /** Pairing on bn254. */
  197: "byzantium",
  /** MODEXP. */
  198: "byzantium",
  /** RETURNDATASIZE, RETURNDATACOPY. */
  211: "byzantium",
  /** STATICCALL. */
  214: "byzantium",
  /** Reward of 3 ether; the difficulty bomb is delayed. */
  649: "byzantium",
  /** Receipts have a status. */
  658: "byzantium",

  /** SHL, SHR, SAR. */
  145: "constantinople",
  /** CREATE2. */
  1014: "constantinople",
  /** EXTCODEHASH. */
  1052: "constantinople",
  /** Reward of 2 ether; the difficulty bomb is delayed. */
  1234: "constantinople",
  /** Net metering of SSTORE, which EIP-1716 took out. */
  1283: ["constantinople", "petersburg"],

  /** BLAKE2F. */
  152: "istanbul",
  /** Prices of bn254. */
  1108: "istanbul",
  /** CHAINID. */
  1344: "istanbul",
  /** Prices of what reads the state; SELFBALANCE. */
  1884: "istanbul",
  /** Price of calldata. */
  2028: "istanbul",
  /** Net metering of SSTORE, which needs more gas than the stipend. */
  2200: "istanbul",

  /** The difficulty bomb is delayed. */
  2384: "muirGlacier",

  /** Price of MODEXP. */
  2565: "berlin",
  /** Accounts and slots cost more when they are cold. */
  2929: "berlin",
  /** Transactions with access lists. */
  2930: "berlin",

  /** Base fee. */
  1559: "london",
  /** BASEFEE. */
  3198: "london",
  /** Fewer refunds. */
  3529: "london",
  /** Code does not begin with 0xef. */
  3541: "london",
  /** The difficulty bomb is delayed. */
  3554: "london",

  /** The difficulty bomb is delayed. */
  4345: "arrowGlacier",

  /** The difficulty bomb is delayed. */
  5133: "grayGlacier",

  /** The Merge: no proof of work, no uncles, no reward. */
  3675: "paris",
  /** PREVRANDAO in place of DIFFICULTY. */
  4399: "paris",

  /** The coinbase is warm. */
  3651: "shanghai",
  /** PUSH0. */
  3855: "shanghai",
  /** Limit and price of init code. */
  3860: "shanghai",
  /** Withdrawals. */
  4895: "shanghai",

  /** Transient storage. */
  1153: "cancun",
  /** Roots of beacon blocks. */
  4788: "cancun",
  /** Blobs. */
  4844: "cancun",
  /** MCOPY. */
  5656: "cancun",
  /** SELFDESTRUCT removes only an account that its transaction created. */
  6780: "cancun",
  /** BLOBBASEFEE. */
  7516: "cancun",

  /** BLS12-381. */
  2537: "prague",
  /** Hashes of blocks in the state. */
  2935: "prague",
  /** Requests of deposits. */
  6110: "prague",
  /** Requests of withdrawals. */
  7002: "prague",
  /** Requests of consolidations. */
  7251: "prague",
  /** Floor for calldata. */
  7623: "prague",
  /** Requests of a block, and their hash in its header. */
  7685: "prague",
  /** Accounts delegate to code. */
  7702: "prague",

  /** Proofs of cells of a blob; six blobs a transaction. */
  7594: "osaka",
  /** Limit of MODEXP's operands. */
  7823: "osaka",
  /** Limit of a transaction's gas. */
  7825: "osaka",
  /** Price of MODEXP. */
  7883: "osaka",
  /** Least price of blobs. */
  7918: "osaka",
  /** Limit of a block's size. */
  7934: "osaka",
  /** CLZ. */
  7939: "osaka",
  /** P256VERIFY. */
  7951: "osaka",

  /** Gas of a transaction by the accounts that it touches. */
  2780: "amsterdam",
  /** A creation fails at an address with storage; in force from the first block on. */
  7610: ["chainstart", "amsterdam"],
  /** Logs of transfers. */
  7708: "amsterdam",
  /** Gas of a block without refunds. */
  7778: "amsterdam",
  /** SLOTNUM, and the slot in the header. */
  7843: "amsterdam",
  /** Access lists of blocks. */
  7928: "amsterdam",
  /** Limit of code. */
  7954: "amsterdam",
  /** Floor for calldata. */
  7976: "amsterdam",
  /** Price of the bytes of access lists. */
  7981: "amsterdam",
  /** DUPN, SWAPN, EXCHANGE. */
  8024: "amsterdam",
  /** State gas. */
  8037: "amsterdam",
  /** Prices of what touches the state. */
  8038: "amsterdam",
  /** SELFDESTRUCT burns nothing. */
  8246: "amsterdam",
  /** Requests of builders. */
  8282: "amsterdam",
} as const satisfies Readonly<Record<number, Hardfork | readonly [since: Hardfork, until: Hardfork]>>;

/** The number of an EIP that is in the table. */
export type Eip = keyof typeof SCHEDULE;

/** All EIPs of the table, in ascending order. */
export const EIPS: readonly Eip[] = Object.keys(SCHEDULE).map((eip) => Number(eip) as Eip);

/** The hardfork that brings an EIP. */
export function hardforkOf(eip: Eip): Hardfork {
  const entry: Hardfork | readonly [Hardfork, Hardfork] = SCHEDULE[eip];
  return typeof entry === "string" ? entry : entry[0];
}

/** True if a hardfork has an EIP. */
export function hasEip(hardfork: Hardfork, eip: Eip): boolean {
  const entry: Hardfork | readonly [Hardfork, Hardfork] = SCHEDULE[eip];
  if (typeof entry === "string") return isAtLeast(hardfork, entry);
  const [since, until] = entry;
  return isAtLeast(hardfork, since) && !isAtLeast(hardfork, until);
}
