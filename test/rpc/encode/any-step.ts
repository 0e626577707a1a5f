/** Arbitrary requests that give a node transactions and blocks, times and fees, with extremes in their members. */
import fc from "fast-check";
import { encodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, BOB, type Json, NOBODY, NOW } from "../../support/a-node.ts";

/** QUANTITY. */
export const quantity = (value: bigint): Hex => `0x${value.toString(16)}`;
/** Zero, the largest, one too many, and what lies between. */
const integer = (bits: number): fc.Arbitrary<Hex> => {
  const end = 2n ** BigInt(bits);
  const extreme = fc.constantFrom(0n, 1n, end / 2n, end - 1n, end);
  return fc.oneof(extreme, fc.bigInt({ min: 0n, max: end - 1n }), fc.bigInt({ min: 0n, max: 255n })).map(quantity);
};
const data = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(encodeData);
const address = fc.oneof(fc.constantFrom(ALICE, BOB, NOBODY, addressText(0)), data(20));
const rare = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const often = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });

const defined = (members: object): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const authorization = fc.record(
  {
    chainId: fc.oneof(fc.constantFrom("0x0", "0x7a69"), integer(256)),
    address,
    nonce: integer(64),
    yParity: integer(8),
    v: fc.constantFrom("0x0", "0x1b", "0x1c", "0x1d", "0x25"),
    r: integer(256),
    s: integer(256),
  },
  { requiredKeys: ["chainId", "address", "nonce", "r", "s"] },
);

/** A call that is near enough to a valid one that many are accepted. */
const call: fc.Arbitrary<Json> = fc
  .record({
    from: fc.constantFrom(ALICE, BOB),
    to: fc.oneof({ weight: 5, arbitrary: address }, { weight: 1, arbitrary: fc.constant(undefined) }),
    gas: fc.oneof({ weight: 6, arbitrary: fc.constant("0x200000") }, { weight: 1, arbitrary: integer(64) }),
    value: often(fc.oneof(fc.constantFrom("0x0", "0x1"), integer(256))),
    input: often(fc.uint8Array({ maxLength: 80 }).map(encodeData)),
    nonce: fc.option(integer(64), { nil: undefined, freq: 9 }).map((nonce) => (nonce === "0x0" ? undefined : nonce)),
    type: rare(fc.constantFrom("0x0", "0x1", "0x2", "0x3", "0x4", "0x102")),
    gasPrice: rare(fc.oneof(fc.constantFrom("0x77359400"), integer(256))),
    maxFeePerGas: rare(fc.oneof(fc.constantFrom("0x77359400"), integer(256))),
    maxPriorityFeePerGas: rare(fc.oneof(fc.constantFrom("0x0", "0x1"), integer(256))),
    accessList: rare(
      fc.array(fc.record({ address, storageKeys: fc.array(data(32), { maxLength: 2 }) }), { maxLength: 2 }),
    ),
    authorizationList: often(fc.array(authorization, { maxLength: 2 })),
    maxFeePerBlobGas: rare(integer(256)),
  })
  .map(defined);

/** A request; some need what only the node knows, which the test fills in. */
export type Step = readonly [method: string, params: unknown[]];
/** `sides` are side blocks that are mined before, and become its uncles. */
const mining: fc.Arbitrary<Step> = fc
  .record({
    blocks: rare(fc.integer({ min: 1, max: 12 }).map((count) => quantity(BigInt(count)))),
    timestamp: rare(integer(64)),
    interval: rare(integer(64)),
    sides: fc.array(
      fc
        .record({
          coinbase: often(address),
          extraData: often(fc.uint8Array({ maxLength: 33 }).map(encodeData)),
          timestamp: rare(
            fc.oneof(
              integer(64),
              fc.integer({ min: NOW, max: NOW + 40 }).map((at) => quantity(BigInt(at))),
            ),
          ),
        })
        .map(defined),
      { maxLength: 3 },
    ),
  })
  .map((members): Step => ["hindcast_mine", [defined(members)]]);

/** The block of a payload is imported. Its parent and time are filled in. */
const payload: fc.Arbitrary<Step> = fc
  .tuple(
    fc
      .record({
        timestamp: rare(integer(64)),
        prevRandao: data(32),
        suggestedFeeRecipient: address,
        withdrawals: fc.array(
          fc.record({ index: integer(64), validatorIndex: integer(64), address, amount: integer(64) }),
          { maxLength: 4 },
        ),
        slotNumber: rare(integer(64)),
        targetGasLimit: rare(integer(64)),
      })
      .map(defined),
    fc.uint8Array({ maxLength: 33 }).map(encodeData),
  )
  .map(([attributes, extraData]): Step => ["testing_buildBlockV1", [attributes, extraData]]);

/** Steps after which any node can import the chain, unless it is at times or fees against the rules. */
export const plainStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: call.map((tx): Step => ["eth_sendTransaction", [tx]]) },
  { weight: 2, arbitrary: call.map((tx): Step => ["eth_signTransaction", [tx]]) },
  { weight: 3, arbitrary: mining },
  { weight: 3, arbitrary: payload },
);

/** A step of any kind. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: plainStep },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom("eth_sendTransaction", "eth_sendUnsignedTransaction", "personal_sendTransaction"), call)
      .map(([method, tx]): Step => [method, method.startsWith("personal") ? [tx, ""] : [tx]]),
  },
  // The raw bytes are sent on.
  { weight: 2, arbitrary: call.map((tx): Step => ["eth_signTransaction", [tx]]) },
  { weight: 1, arbitrary: call.map((tx): Step => ["eth_fillTransaction", [tx]]) },
  { weight: 1, arbitrary: call.map((tx): Step => ["anvil_reorg", [1, [[tx, 0]]]]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          "evm_increaseTime",
          "evm_setTime",
          "evm_setNextBlockTimestamp",
          "anvil_setBlockTimestampInterval",
        ),
        integer(64),
      )
      .map(([method, time]): Step => [method, [time]]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 40 }), rare(integer(64)))
      .map(
        ([blocks, interval]): Step => [
          "hardhat_mine",
          [quantity(BigInt(blocks)), ...(interval === undefined ? [] : [interval])],
        ],
      ),
  },
  { weight: 1, arbitrary: integer(64).map((time): Step => ["evm_mine", [time]]) },
  { weight: 1, arbitrary: integer(256).map((fee): Step => ["anvil_setNextBlockBaseFeePerGas", [fee]]) },
  { weight: 1, arbitrary: integer(63).map((gas): Step => ["evm_setBlockGasLimit", [gas]]) },
  { weight: 1, arbitrary: fc.tuple(address, integer(256)).map((params): Step => ["anvil_setBalance", params]) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(NOBODY), integer(64)).map((params): Step => ["anvil_setNonce", params]),
  },
  { weight: 1, arbitrary: address.map((coinbase): Step => ["anvil_setCoinbase", [coinbase]]) },
);
