/** Random scenarios: a hardfork, a small state, and transactions on it one after the other. */
import { HARDFORKS, type Hardfork, isAtLeast } from "../../../../src/chainspec/hardforks/hardforks.ts";
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  FEE_MARKET_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  type TransactionFields,
} from "../../../../src/chainspec/transaction/transaction-fields.ts";
import { type Bytes, bigIntToFixedBytes, concatBytes, EMPTY_BYTES } from "../../../../src/primitives/bytes/bytes.ts";
import { ZERO_ADDRESS } from "../../../../src/primitives/hash/hash.ts";
import { SENDER, type TestAccount } from "../../../support/evm.ts";
import { precompile } from "../../../support/precompile-calls.ts";
import { AUTHORITIES, type Authority, authorize, spoil } from "./keys.ts";
import { CONTRACTS, EMPTY_ACCOUNT, NOBODY } from "./making.ts";
import { PRECOMPILE_NUMBERS, type PrecompilePool } from "./precompile-pool.ts";
import { makeDeepProgram, makeInitCode, makeProgram, type Workshop } from "./program.ts";
import { Random } from "./random.ts";

/**
 * Hardforks that are compared at random. Not Amsterdam: EthereumJS 10.1.3 knows an older text of it, which charges a
 * creation for its account before it can fail for its balance, depth or nonce, and gives gas that a child drew for state
 * back to the reservoir instead of to where it was drawn from. test/engines/both holds what both do the same.
 */
export const COMPARED_HARDFORKS = HARDFORKS.filter((name) => !isAtLeast(name, "amsterdam"));

export interface Scenario {
  readonly seed: number;
  /** Its number among those of the seed. */
  readonly number: number;
  readonly hardfork: Hardfork;
  readonly accounts: readonly TestAccount[];
  readonly transactions: readonly TransactionFields[];
}

const CHAIN_ID = 1n;
const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00);

/** The scenario of a seed and a number, the same every time. Hardforks take turns. */
export function makeScenario(
  seed: number,
  number: number,
  pool: PrecompilePool,
  hardforks: readonly Hardfork[] = COMPARED_HARDFORKS,
): Scenario {
  const random = new Random(seed, number);
  const hardfork = hardforks[number % hardforks.length] as Hardfork;
  const workshop = { random, hardfork, pool };
  const isDeep = random.chance(0.0015);
  const accounts = isDeep ? deepAccounts(workshop) : someAccounts(workshop);
  const transactions: TransactionFields[] = [];
  for (let count = isDeep ? 1 : random.between(1, 3); count > 0; count--) {
    const nonce = BigInt(transactions.length + 1);
    const tx = makeTransaction(workshop, nonce);
    transactions.push(isDeep ? { ...tx, to: CONTRACTS[0], gasLimit: deepGas(workshop) } : tx);
  }
  return { seed, number, hardfork, accounts, transactions };
}

function deepAccounts(workshop: Workshop): TestAccount[] {
  const address = CONTRACTS[0] as Bytes;
  return [{ address, nonce: 1n, code: makeDeepProgram(workshop, address) }];
}

/** Enough for more than 1,024 frames where the hardfork has no cap (EIP-7825). */
function deepGas({ random, hardfork }: Workshop): bigint {
  return isAtLeast(hardfork, "osaka") ? 16_000_000n : random.pick([3_000_000n, 20_000_000_000n, 100_000_000_000n]);
}

function someAccounts(workshop: Workshop): TestAccount[] {
  const { random, hardfork } = workshop;
  const contracts = CONTRACTS.map((address, level) => ({
    address,
    nonce: 1n,
    balance: random.pick([0n, 1_000n, 10n ** 18n]),
    code: makeProgram(workshop, { level, isWild: random.chance(0.2) }),
    storage: Array.from(
      { length: random.below(4) },
      (_, slot) => [BigInt(slot), BigInt(random.between(1, 300))] as const,
    ),
  }));
  const authorities = isAtLeast(hardfork, "prague")
    ? AUTHORITIES.slice(0, 2).map((each) => delegated(each, random))
    : [];
  return [...contracts, ...authorities, { address: EMPTY_ACCOUNT }];
}

function delegated({ address }: Authority, random: Random): TestAccount {
  if (random.chance(0.3)) return { address, balance: 5n };
  return { address, nonce: 1n, balance: 5n, code: concatBytes(DELEGATION_PREFIX, anyDelegate(random)) };
}

function anyDelegate(random: Random): Bytes {
  if (random.chance(0.7)) return random.pick(CONTRACTS);
  const others = [NOBODY, ...AUTHORITIES.map(({ address }) => address), precompile(random.pick(PRECOMPILE_NUMBERS))];
  return random.pick(others);
}

function makeTransaction(workshop: Workshop, nonce: bigint): TransactionFields {
  const { random, hardfork } = workshop;
  const type = anyType(random, hardfork);
  const mayCreate = type !== BLOB_TYPE && type !== SET_CODE_TYPE;
  const isCreation = mayCreate && random.chance(0.15);
  const isTypedFee = type >= FEE_MARKET_TYPE;
  return {
    type,
    sender: SENDER,
    to: isCreation ? undefined : anyTarget(random),
    nonce,
    gasLimit: anyGas(random),
    value: random.weighted([
      [5, 0n],
      [2, 1n],
      [1, 10n ** 17n],
    ]),
    data: isCreation ? makeInitCode(workshop, { isWild: random.chance(0.15) }) : anyData(workshop),
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: isTypedFee ? BigInt(random.below(10)) : 10n,
    accessList: type === LEGACY_TYPE || random.chance(0.4) ? [] : anyAccessList(random),
    blobVersionedHashes: type === BLOB_TYPE ? anyBlobs(random) : [],
    maxFeePerBlobGas: type === BLOB_TYPE ? 5n : 0n,
    authorizations: type === SET_CODE_TYPE ? anyAuthorizations(random) : [],
  };
}

function anyType(random: Random, hardfork: Hardfork): number {
  const known = [
    LEGACY_TYPE,
    ...(isAtLeast(hardfork, "berlin") ? [ACCESS_LIST_TYPE] : []),
    ...(isAtLeast(hardfork, "london") ? [FEE_MARKET_TYPE, FEE_MARKET_TYPE] : []),
    ...(isAtLeast(hardfork, "cancun") ? [BLOB_TYPE] : []),
    ...(isAtLeast(hardfork, "prague") ? [SET_CODE_TYPE, SET_CODE_TYPE] : []),
  ];
  return random.pick(known);
}

function anyTarget(random: Random): Bytes {
  if (random.chance(0.85)) return random.chance(0.8) ? (CONTRACTS[0] as Bytes) : random.pick(CONTRACTS);
  return random.pick([
    NOBODY,
    EMPTY_ACCOUNT,
    ...AUTHORITIES.map(({ address }) => address),
    precompile(random.pick(PRECOMPILE_NUMBERS)),
  ]);
}

function anyGas(random: Random): bigint {
  return BigInt(
    random.weighted([
      [1, random.between(21_000, 60_000)],
      [1, random.between(60_000, 250_000)],
      [14, random.between(800_000, 4_000_000)],
    ]),
  );
}

function anyData({ random, pool }: Workshop): Bytes {
  return random.weighted<() => Bytes>([
    [2, () => EMPTY_BYTES],
    [4, () => random.bytes(random.below(120))],
    [1, () => pool.pick(random, random.pick(PRECOMPILE_NUMBERS))],
  ])();
}

function anyAccessList(random: Random): TransactionFields["accessList"] {
  return Array.from({ length: random.between(1, 3) }, () => ({
    address: random.pick([...CONTRACTS, NOBODY, precompile(4)]),
    storageKeys: Array.from({ length: random.below(3) }, () => bigIntToFixedBytes(BigInt(random.below(4)), 32)),
  }));
}

function anyBlobs(random: Random): Bytes[] {
  // Of another version (EIP-4844) in one transaction of twenty, which is rejected for it.
  const version = random.chance(0.05) ? random.pick([0, 2]) : 1;
  return Array.from({ length: random.between(1, 3) }, () => {
    const hash = random.bytes(32);
    hash[0] = version;
    return hash;
  });
}

function anyAuthorizations(random: Random): TransactionFields["authorizations"] {
  return Array.from({ length: random.between(1, 3) }, () => {
    const authorization = authorize(
      random.pick(AUTHORITIES),
      random.pick([0n, CHAIN_ID, CHAIN_ID, 7n]),
      random.chance(0.15) ? ZERO_ADDRESS : anyDelegate(random),
      BigInt(random.below(3)),
    );
    return random.chance(0.15) ? spoil(authorization, random) : authorization;
  });
}
