/** Random scenarios for comparing engines: accounts with programs, and transactions of one sender one after the other. */
import fc from "fast-check";
import type { Hardfork } from "../../../src/chainspec/hardforks.ts";
import type { BlockContext } from "../../../src/evm/engine.ts";
import { type Bytes, concatBytes, EMPTY_BYTES } from "../../../src/primitives/bytes.ts";
import { MAX_UINT64 } from "../../../src/primitives/limits.ts";
import { creatingPrograms } from "../../support/creating-programs.ts";
import { addressOf, OPCODE_HARDFORKS, SENDER, TARGET, type TestAccount } from "../../support/evm.ts";
import { precompile } from "../../support/precompile-calls.ts";
import { OTHERS, programs } from "../../support/programs.ts";

export interface Scenario {
  readonly hardfork: Hardfork;
  readonly accounts: readonly TestAccount[];
  /** One transaction each. */
  readonly calls: readonly ScenarioCall[];
  /** Default: SENDER. */
  readonly sender?: Bytes;
  /** What is otherwise than in the block of tests. */
  readonly block?: Partial<BlockContext>;
}

/** Accounts that are warm from the start of a transaction, beside precompiles. */
export function warmFromStart({ sender = SENDER }: Scenario, { to }: ScenarioCall): readonly Bytes[] {
  return to === undefined ? [sender] : [sender, to];
}

export interface ScenarioCall {
  /** Undefined for a creation. */
  readonly to: Bytes | undefined;
  readonly data: Bytes;
  /** wei */
  readonly value: bigint;
  readonly gasLimit: bigint;
}

const hardforks = fc.constantFrom(...OPCODE_HARDFORKS);

const gasLimits = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
  { weight: 4, arbitrary: fc.integer({ min: 5_000, max: 500_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 500_000, max: 2_000_000 }) },
);

/** Contracts with some balance and storage, and the precompiles whose accounts matter. */
const world = (codes: readonly Bytes[], nonce: bigint): TestAccount[] => [
  ...[TARGET, ...OTHERS].map((address, index) => ({
    address,
    code: codes[index] ?? EMPTY_BYTES,
    balance: 1000n,
    nonce,
    storage: [
      [0n, 5n],
      [1n, 1n << 200n],
    ] as const,
  })),
  // An empty account is gone once it is touched; that of RIPEMD-160 even where its frame fails.
  ...[2, 3].map((number) => ({ address: precompile(number) })),
  { address: precompile(4), balance: 1n },
];

const callOf = (data: fc.Arbitrary<Bytes>, to: fc.Arbitrary<Bytes | undefined>): fc.Arbitrary<ScenarioCall> =>
  fc.record({
    to,
    data,
    value: fc.constantFrom(0n, 3n, 3n),
    gasLimit: gasLimits.map(BigInt),
  });

const scenarioOf = (
  code: fc.Arbitrary<Bytes>,
  call: fc.Arbitrary<ScenarioCall>,
  nonce: fc.Arbitrary<bigint> = fc.constant(1n),
): fc.Arbitrary<Scenario> =>
  fc
    .record({
      hardfork: hardforks,
      codes: fc.array(code, { minLength: 3, maxLength: 3 }),
      nonce,
      calls: fc.array(call, { minLength: 1, maxLength: 2 }),
    })
    .map(({ hardfork, codes, nonce: first, calls }) => ({ hardfork, accounts: world(codes, first), calls }));

const someData = fc.oneof(
  fc.constant(EMPTY_BYTES),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => Uint8Array.from(bytes)),
);

/** Programs of all opcodes, that call each other and precompiles. */
const any = scenarioOf(programs, callOf(someData, fc.constantFrom(TARGET, TARGET, TARGET, OTHERS[0])));

/** Programs whose business is CREATE and CREATE2, called and as init code; some creators have no nonce left. */
const creating = scenarioOf(
  creatingPrograms,
  fc.oneof(callOf(fc.constant(EMPTY_BYTES), fc.constant(TARGET)), callOf(creatingPrograms, fc.constant(undefined))),
  fc.constantFrom(1n, 1n, 1n, MAX_UINT64 - 1n),
);

/** Programs that call an account which is delegated, to code, a precompile, nobody, or itself (EIP-7702). */
const delegated = fc
  .tuple(any, fc.constantFrom(TARGET, ...OTHERS, precompile(4), addressOf(0x99)), fc.constantFrom(0, 1, 2, 2, 2))
  .map(([scenario, delegate, index]): Scenario => {
    const code = concatBytes(Uint8Array.of(0xef, 0x01, 0x00), delegate);
    const accounts = scenario.accounts.map((account, at) => (at === index ? { ...account, code } : account));
    return { ...scenario, hardfork: "prague", accounts };
  });

/** Value that goes to accounts without code, or cannot go. */
const transferring = fc
  .record({
    hardfork: hardforks,
    receiver: fc.constantFrom<TestAccount | undefined>(
      undefined,
      { address: TARGET },
      { address: TARGET, nonce: 1n },
      { address: TARGET, balance: 5n },
      { address: TARGET, balance: (1n << 256n) - 2n },
    ),
    to: fc.constantFrom(TARGET, TARGET, SENDER, addressOf(0), precompile(4), precompile(3), precompile(17)),
    value: fc.constantFrom(0n, 1n, 3n, 10n ** 20n),
    gasLimit: fc.constantFrom(0n, 2300n, 100_000n),
  })
  .map(({ hardfork, receiver, to, value, gasLimit }): Scenario => {
    return {
      hardfork,
      accounts: receiver === undefined ? [] : [receiver],
      calls: [{ to, data: EMPTY_BYTES, value, gasLimit }],
    };
  });

/** Kinds of scenarios by name. */
export const SCENARIOS = { any, creating, delegated, transferring } as const;
