/** Random headers, withdrawals and transactions of a hardfork. */
import fc from "fast-check";
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../src/chainspec/genesis/genesis.ts";
import type { Hardfork } from "../../src/chainspec/hardforks/hardforks.ts";
import type { Withdrawal } from "../../src/chainspec/header/block.ts";
import type { Header } from "../../src/chainspec/header/header.ts";
import { EMPTY_UNCLES_HASH } from "../../src/primitives/hash/hash.ts";
import { REFERENCE_HARDFORKS } from "../support/evm.ts";

/** Hardforks whose headers and rules between headers are those of the one before. */
const UNCHANGED: readonly Hardfork[] = [
  ...(["tangerineWhistle", "spuriousDragon", "petersburg", "istanbul", "berlin"] as const),
  ...(["bpo3", "bpo4", "bpo5"] as const),
];

/** All others that EthereumJS knows. */
export const TESTED_HARDFORKS = REFERENCE_HARDFORKS.filter((hardfork) => !UNCHANGED.includes(hardfork));

/** The rules of mainnet's hardforks, without its schedule. */
export const spec = new ChainSpec(parseGenesis({ config: { chainId: 1 }, alloc: {} }));

const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((list) => Uint8Array.from(list));
const bits = (count: number): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max: (1n << BigInt(count)) - 1n });

const BLOB = 131_072n;

/** A header with the members of a hardfork; seals and roots are random. */
export function headerOf(hardfork: Hardfork): fc.Arbitrary<Header> {
  const rules = spec.rules(hardfork);
  const { max } = spec.blobSchedule(hardfork);
  const absent = fc.constant(undefined);
  const gas = fc.bigInt({ min: 5_000n, max: 200_000_000n });
  return fc
    .record({
      parentHash: bytes(32),
      unclesHash: rules.has(3675)
        ? fc.constant(EMPTY_UNCLES_HASH)
        : fc.oneof(fc.constant(EMPTY_UNCLES_HASH), bytes(32)),
      coinbase: bytes(20),
      stateRoot: bytes(32),
      transactionsRoot: bytes(32),
      receiptsRoot: bytes(32),
      logsBloom: bytes(256),
      difficulty: rules.has(3675) ? fc.constant(0n) : fc.bigInt({ min: 131_072n, max: 1n << 60n }),
      number: fc.bigInt({ min: 1n, max: 20_000_000n }),
      gasLimit: gas,
      gasUsed: fc.nat({ max: 1_000 }),
      timestamp: bits(40),
      extraData: fc.uint8Array({ maxLength: 32 }).map((list) => Uint8Array.from(list)),
      mixHash: bytes(32),
      nonce: rules.has(3675) ? fc.constant(new Uint8Array(8)) : bytes(8),
      baseFeePerGas: rules.has(1559) ? fc.oneof(fc.bigInt({ min: 7n, max: 1_000n }), bits(60)) : absent,
      withdrawalsRoot: rules.has(4895) ? bytes(32) : absent,
      blobGasUsed: rules.has(4844) ? fc.bigInt({ min: 0n, max }).map((count) => count * BLOB) : absent,
      excessBlobGas: rules.has(4844) ? fc.bigInt({ min: 0n, max: 200n }).map((count) => count * BLOB) : absent,
      parentBeaconBlockRoot: rules.has(4788) ? bytes(32) : absent,
      requestsHash: rules.has(7685) ? bytes(32) : absent,
      blockAccessListHash: rules.has(7928) ? bytes(32) : absent,
      slotNumber: rules.has(7843) ? bits(40) : absent,
    })
    .map((header) => ({ ...header, gasUsed: (header.gasLimit * BigInt(header.gasUsed)) / 1_000n }));
}

export const withdrawals: fc.Arbitrary<Withdrawal[]> = fc.array(
  fc.record({ index: bits(64), validatorIndex: bits(64), address: bytes(20), amount: bits(64) }),
  { maxLength: 4 },
);
