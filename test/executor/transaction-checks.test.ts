/** What makes a transaction invalid, by the EIPs; texts are those of geth's `core/error.go` and `state_transition.go`. */
import { describe, expect, it } from "vitest";
import { HARDFORKS, type Hardfork } from "../../src/chainspec/hardforks/hardforks.ts";
import type { TransactionFields } from "../../src/chainspec/transaction/transaction-fields.ts";
import type { EvmAccount, StateReader } from "../../src/evm/state-port.ts";
import {
  BLOCK_CHECKS,
  type ChecksWanted,
  checkFees,
  checkFormat,
  checkIntrinsicGas,
  checkSender,
  isBailedOut,
  replayChecks,
  SIMULATION_CHECKS,
} from "../../src/executor/transaction-checks.ts";
import { EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../../src/primitives/bytes/limits.ts";
import { EMPTY_CODE_HASH, keccak256 } from "../../src/primitives/hash/hash.ts";
import { aBlock, aTransaction, spec, TARGET, word } from "../support/evm.ts";

const FROM = "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const BLOB_HASH = Uint8Array.of(1, ...new Uint8Array(31));
const AUTHORIZATION = { chainId: 1n, address: TARGET, nonce: 0n, yParity: 0n, r: 1n, s: 1n };
const GAS_CAP = 16_777_216n;

const ofBlobs = (count: number): Partial<TransactionFields> => ({
  type: 3,
  blobVersionedHashes: Array.from({ length: count }, () => BLOB_HASH),
});
const setCode = { type: 4, authorizations: [AUTHORIZATION] };
const refusal = (code: string, what: string): unknown => expect.objectContaining({ code, what });

describe("the format of a transaction", () => {
  const format = (hardfork: Hardfork, members: Partial<TransactionFields>, checks: ChecksWanted = BLOCK_CHECKS): void =>
    checkFormat(aTransaction(members), spec.rules(hardfork), checks);

  it.each<[number, Hardfork, Partial<TransactionFields>]>([
    [0, "chainstart", {}],
    [1, "berlin", {}],
    [2, "london", {}],
    [3, "cancun", ofBlobs(1)],
    [4, "prague", setCode],
    [126, "chainstart", {}],
  ])("of type %d is known from %s on", (type, first, members) => {
    for (const hardfork of HARDFORKS) {
      const check = (): void => format(hardfork, { ...members, type });
      if (spec.rules(hardfork).hardfork === first || HARDFORKS.indexOf(hardfork) > HARDFORKS.indexOf(first)) check();
      else expect(check, hardfork).toThrow(`transaction type not supported: type ${type} in `);
    }
  });

  it.each<[string, Hardfork, Partial<TransactionFields>, string, string]>([
    [
      "an unknown type",
      "osaka",
      { type: 5 },
      "TRANSACTION_TYPE_NOT_SUPPORTED",
      "transaction type not supported: type 5 in osaka",
    ],
    [
      "a tip above the fee cap",
      "osaka",
      { maxPriorityFeePerGas: 11n },
      "TIP_ABOVE_FEE_CAP",
      `max priority fee per gas higher than max fee per gas: address ${FROM}, maxPriorityFeePerGas: 11, maxFeePerGas: 10`,
    ],
    [
      "a creation with blobs",
      "cancun",
      { ...ofBlobs(1), to: undefined },
      "BLOB_TRANSACTION_INVALID",
      "blob transaction of type create",
    ],
    ["no blobs in type 3", "cancun", ofBlobs(0), "BLOB_TRANSACTION_INVALID", "blob transaction missing blob hashes"],
    [
      "seven blobs",
      "osaka",
      ofBlobs(7),
      "BLOB_TRANSACTION_INVALID",
      "too many blobs in transaction: have 7, permitted 6",
    ],
    [
      "a hash of another version",
      "cancun",
      { type: 3, blobVersionedHashes: [BLOB_HASH, word(1n)] },
      "BLOB_TRANSACTION_INVALID",
      "blob 1 has invalid hash version",
    ],
    [
      "a creation with authorizations",
      "prague",
      { ...setCode, to: undefined },
      "AUTHORIZATION_LIST_INVALID",
      `EIP-7702 transaction cannot be used to create contract (sender ${FROM})`,
    ],
    [
      "no authorizations in type 4",
      "prague",
      { type: 4 },
      "AUTHORIZATION_LIST_INVALID",
      `EIP-7702 transaction with empty auth list (sender ${FROM})`,
    ],
    [
      "gas above the cap of EIP-7825",
      "osaka",
      { gasLimit: GAS_CAP + 1n },
      "GAS_LIMIT_EXCEEDS_CAP",
      "transaction gas limit too high (cap: 16777216, tx: 16777217), see EIP-7825",
    ],
  ])("refuses %s (%s)", (_, hardfork, members, code, message) => {
    expect(() => format(hardfork, members)).toThrow(refusal(code, message));
  });

  it("allows a tip that is all of the fee cap, as many blobs as fit before Osaka, and six after", () => {
    format("osaka", { maxPriorityFeePerGas: 10n });
    format("prague", ofBlobs(7));
    format("osaka", ofBlobs(6));
  });

  it("has a gas cap in Osaka only, and not in simulations", () => {
    format("osaka", { gasLimit: GAS_CAP });
    format("osaka", { gasLimit: GAS_CAP + 1n }, SIMULATION_CHECKS);
    format("prague", { gasLimit: GAS_CAP + 1n });
    format("amsterdam", { gasLimit: GAS_CAP + 1n });
  });
});

describe("the intrinsic gas of a transaction", () => {
  const gasOf = (hardfork: Hardfork, members: Partial<TransactionFields>): unknown =>
    checkIntrinsicGas(aTransaction(members), spec.rules(hardfork));
  const data = Uint8Array.of(0, 0, 1, 1, 1);

  it.each<[string, Hardfork, Partial<TransactionFields>, bigint, bigint]>([
    // 21,000, 4 a zero byte, 68 another one (yellow paper); 16 from Istanbul on (EIP-2028).
    ["data", "homestead", { data }, 21_212n, 0n],
    ["data", "istanbul", { data }, 21_056n, 0n],
    // 10 a token, of which a byte that is not zero has four (EIP-7623).
    ["data", "prague", { data }, 21_056n, 21_140n],
    ["a creation", "chainstart", { to: undefined }, 21_000n, 0n],
    ["a creation", "homestead", { to: undefined }, 53_000n, 0n],
    // 2 for every word of init code (EIP-3860).
    ["init code of 33 bytes", "shanghai", { to: undefined, data: new Uint8Array(33) }, 53_136n, 0n],
    // EIP-2930
    ["an access list", "berlin", { accessList: [{ address: TARGET, storageKeys: [word(1n), word(2n)] }] }, 27_200n, 0n],
    // EIP-7702
    ["an authorization", "prague", setCode, 46_000n, 21_000n],
  ])("with %s is what the gas limit must cover (%s)", (_, hardfork, members, intrinsic, floor) => {
    const least = intrinsic > floor ? intrinsic : floor;
    expect(gasOf(hardfork, { ...members, gasLimit: least })).toEqual({ intrinsic, floor });
    const [code, message] =
      intrinsic > floor
        ? ["INTRINSIC_GAS_TOO_LOW", `intrinsic gas too low: have ${least - 1n}, want ${least}`]
        : ["FLOOR_GAS_TOO_LOW", `insufficient gas for floor data gas cost: have ${least - 1n}, want ${least}`];
    expect(() => gasOf(hardfork, { ...members, gasLimit: least - 1n })).toThrow(
      refusal(code as string, message as string),
    );
  });

  it("does not exceed the cap from Amsterdam on, whatever the gas limit", () => {
    // 64 a byte and 12,000 + 3,000 for sender and recipient (EIP-7976, EIP-2780).
    const most = Number((GAS_CAP - 15_000n) / 64n);
    const gasLimit = 30_000_000n;
    gasOf("amsterdam", { data: new Uint8Array(most), gasLimit });
    expect(() => gasOf("amsterdam", { data: new Uint8Array(most + 1), gasLimit })).toThrow(
      refusal(
        "GAS_LIMIT_EXCEEDS_CAP",
        `insufficient gas for floor data gas cost: intrinsic cost ${15_000 + 4 * (most + 1)}, floor: ${15_000 + 64 * (most + 1)}`,
      ),
    );
    gasOf("osaka", { data: new Uint8Array(500_000), gasLimit });
  });

  it("has a limit for init code from Shanghai on, and for creations only", () => {
    const members = { data: new Uint8Array(49_153), gasLimit: 1_000_000n };
    expect(() => gasOf("shanghai", { ...members, to: undefined })).toThrow(
      refusal("INIT_CODE_TOO_LARGE", "max initcode size exceeded: code size 49153 limit 49152"),
    );
    gasOf("shanghai", members);
    gasOf("london", { ...members, to: undefined });
    gasOf("shanghai", { ...members, to: undefined, data: new Uint8Array(49_152) });
  });
});

describe("the sender of a transaction", () => {
  const CODE = Uint8Array.of(0x60);
  const DELEGATION = Uint8Array.of(0xef, 0x01, 0x00, ...TARGET);
  const withCode = (code: Uint8Array): EvmAccount => account(7n, keccak256(code));
  const account = (nonce: bigint, codeHash = EMPTY_CODE_HASH): EvmAccount => ({
    nonce,
    balance: 0n,
    codeHash,
  });
  const sender = async (nonce: bigint, found: EvmAccount | undefined, code: Uint8Array, checks = BLOCK_CHECKS) => {
    const state = { getCode: () => Promise.resolve(code) } as unknown as StateReader;
    await checkSender(aTransaction({ nonce }), found, state, checks);
  };

  it("has its own nonce, which has a largest value", async () => {
    await sender(7n, account(7n), EMPTY_BYTES);
    await sender(0n, undefined, EMPTY_BYTES);
    const low = `nonce too low: address ${FROM}, tx: 6 state: 7`;
    await expect(async () => sender(6n, account(7n), EMPTY_BYTES)).rejects.toEqual(refusal("NONCE_TOO_LOW", low));
    const high = `nonce too high: address ${FROM}, tx: 1 state: 0`;
    await expect(async () => sender(1n, undefined, EMPTY_BYTES)).rejects.toEqual(refusal("NONCE_TOO_HIGH", high));
    const max = `nonce has max value: address ${FROM}, nonce: ${MAX_UINT64}`;
    await expect(async () => sender(MAX_UINT64, account(MAX_UINT64), EMPTY_BYTES)).rejects.toEqual(
      refusal("NONCE_MAX", max),
    );
    await sender(6n, account(7n), EMPTY_BYTES, SIMULATION_CHECKS);
  });

  it("has no code but a delegation (EIP-3607, EIP-7702)", async () => {
    await sender(7n, withCode(DELEGATION), DELEGATION);
    const text = (length: number): string => `sender not an eoa: address ${FROM}, len(code): ${length}`;
    for (const code of [CODE, DELEGATION.subarray(0, 22), Uint8Array.of(0xef, 0x01, 0x01, ...TARGET)]) {
      await expect(async () => sender(7n, withCode(code), code)).rejects.toEqual(
        refusal("SENDER_NOT_EOA", text(code.length)),
      );
    }
    await sender(7n, withCode(CODE), CODE, SIMULATION_CHECKS);
  });
});

describe("the fees of a transaction", () => {
  const fees = (members: Partial<TransactionFields>, balance: bigint, checks: ChecksWanted = BLOCK_CHECKS): void =>
    checkFees(aTransaction(members), balance, aBlock("cancun", { baseFeePerGas: 10n, blobBaseFee: 5n }), checks);
  const RICH = 10n ** 18n;
  const COST = 1_000_000n;

  it("reach the base fee", () => {
    fees({}, RICH);
    const text = `max fee per gas less than block base fee: address ${FROM}, maxFeePerGas: 9, baseFee: 10`;
    expect(() => fees({ maxFeePerGas: 9n }, RICH)).toThrow(refusal("FEE_CAP_BELOW_BASE_FEE", text));
    expect(() => fees({ maxFeePerGas: 9n }, RICH, SIMULATION_CHECKS)).toThrow(refusal("FEE_CAP_BELOW_BASE_FEE", text));
    fees({ maxFeePerGas: 9n }, RICH, { ...SIMULATION_CHECKS, fees: "waived" });
  });

  it("are none in a simulation without prices", () => {
    const free = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    fees(free, 0n, SIMULATION_CHECKS);
    expect(() => fees(free, RICH)).toThrow(expect.objectContaining({ code: "FEE_CAP_BELOW_BASE_FEE" }));
  });

  it("of blobs reach their base fee, or are none in a simulation", () => {
    fees({ ...ofBlobs(1), maxFeePerBlobGas: 5n }, RICH);
    const text = `max fee per blob gas less than block blob gas fee: address ${FROM} blobGasFeeCap: 4, blobBaseFee: 5`;
    const code = "BLOB_FEE_CAP_BELOW_BASE_FEE";
    expect(() => fees({ ...ofBlobs(1), maxFeePerBlobGas: 4n }, RICH)).toThrow(refusal(code, text));
    expect(() => fees({ ...ofBlobs(1), maxFeePerBlobGas: 4n }, RICH, SIMULATION_CHECKS)).toThrow(refusal(code, text));
    expect(() => fees(ofBlobs(1), RICH)).toThrow(expect.objectContaining({ code }));
    fees(ofBlobs(1), RICH, SIMULATION_CHECKS);
  });

  it("and the value are within the sender's balance, with the most that blobs may cost", () => {
    fees({}, COST);
    fees({ value: 5n }, COST + 5n);
    fees({ ...ofBlobs(2), maxFeePerBlobGas: 6n }, COST + 2n * 131_072n * 6n);
    for (const [members, want] of [
      [{}, COST],
      [{ value: 5n }, COST + 5n],
      [{ ...ofBlobs(2), maxFeePerBlobGas: 6n }, COST + 2n * 131_072n * 6n],
    ] as const) {
      const text = `insufficient funds for gas * price + value: address ${FROM} have ${want - 1n} want ${want}`;
      expect(() => fees(members, want - 1n)).toThrow(refusal("INSUFFICIENT_FUNDS", text));
    }
  });

  it("beyond the balance are no obstacle where senders are bailed out", () => {
    const bailOut = { ...SIMULATION_CHECKS, fees: "bailOut" } as const;
    fees({}, 0n, bailOut);
    const bailedOut = (balance: bigint, checks: ChecksWanted) => isBailedOut(aTransaction(), balance, checks);
    expect([bailedOut(COST - 1n, bailOut), bailedOut(COST, bailOut)]).toEqual([true, false]);
    expect(bailedOut(0n, SIMULATION_CHECKS)).toBe(false);
  });
});

it("a transaction of this node's own block runs again with a sender that has code or gas above the cap", () => {
  expect(replayChecks({ type: 2, isImpersonated: false })).toEqual({ ...BLOCK_CHECKS, gasCap: false });
  expect(replayChecks({ type: 2, isImpersonated: true })).toEqual({
    ...BLOCK_CHECKS,
    gasCap: false,
    senderIsEoa: false,
  });
  // Deposits are not checked: nobody signs them.
  expect(replayChecks({ type: 126, isImpersonated: true })).toEqual(SIMULATION_CHECKS);
});
