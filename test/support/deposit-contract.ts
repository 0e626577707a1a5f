/** The deposit contract of the beacon chain (`fixtures/deposit-contract/README.md`): a genesis that has it, and calls of it. */
import { readFileSync } from "node:fs";
import { Interface } from "ethers";
import { hasEip } from "../../src/chainspec/hardforks/eips.ts";
import type { Hardfork } from "../../src/chainspec/hardforks/hardforks.ts";
import { MAINNET_DEPOSIT_CONTRACT, SYSTEM_CONTRACTS } from "../../src/chainspec/system-contracts.ts";
import { type Bytes, concatBytes, EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { sha256 } from "../../src/primitives/platform/crypto.ts";
import { ALICE, type Json, quantity } from "./a-node.ts";

export const DEPOSIT_CONTRACT: Hex = encodeData(MAINNET_DEPOSIT_CONTRACT);
export const GWEI = 10n ** 9n;
export const ETHER = 10n ** 18n;

const code = (): string =>
  readFileSync(new URL("../../fixtures/deposit-contract/code.hex", import.meta.url), "utf8").replaceAll("\n", "");
const deposits = new Interface(["function deposit(bytes,bytes,bytes,bytes32) payable"]);
const zeros = (length: number): Bytes => new Uint8Array(length);
const hashOf = (...parts: readonly Bytes[]): Bytes => sha256(concatBytes(...parts));

/** Slots 0x22 to 0x40 as the constructor leaves them: each the hash of the value before it, twice. */
function emptySubtrees(): Record<string, string> {
  const slots: Record<string, string> = {};
  let hash = zeros(32);
  for (let slot = 0x22; slot <= 0x40; slot++) {
    hash = hashOf(hash, hash);
    slots[quantity(slot)] = encodeData(hash);
  }
  return slots;
}

/** Times of the hardforks from Shanghai on, up to one of them. */
function timesUpTo(hardfork: string): Record<string, number> {
  const names = ["shanghai", "cancun", "prague", "osaka", "bpo1", "bpo2", "bpo3", "bpo4", "bpo5", "amsterdam"];
  return Object.fromEntries(names.slice(0, names.indexOf(hardfork) + 1).map((name) => [`${name}Time`, 0]));
}

/**
 * geth's genesis.json of a chain on one hardfork, from Prague on, with mainnet's deposit contract, and ALICE with a million
 * ETH.
 */
export function genesisWithDeposits(hardfork: Hardfork, alloc: Json = {}, config: Json = {}): Json {
  const system = SYSTEM_CONTRACTS.filter(({ eip }) => hasEip(hardfork, eip));
  const codes = system.map(({ address, code }) => [encodeData(address), { balance: "0x0", code: encodeData(code) }]);
  return {
    config: { chainId: 31_337, londonBlock: 0, terminalTotalDifficulty: 0, ...timesUpTo(hardfork), ...config },
    gasLimit: quantity(hardfork === "amsterdam" ? 200_000_000 : 30_000_000),
    difficulty: "0x0",
    alloc: {
      ...Object.fromEntries(codes),
      [ALICE]: { balance: quantity(1_000_000n * ETHER) },
      [DEPOSIT_CONTRACT]: { balance: "0x0", nonce: "0x1", code: `0x${code()}`, storage: emptySubtrees() },
      ...alloc,
    },
  };
}

/** Arguments of a deposit. */
export interface Deposit {
  /** 48 bytes */
  readonly publicKey: Bytes;
  /** 32 bytes */
  readonly credentials: Bytes;
  /** gwei */
  readonly amount: bigint;
  /** 96 bytes */
  readonly signature: Bytes;
}

/** A deposit whose bytes all differ from those of its neighbours. */
export function aDeposit(seed: number, amount = 32n * GWEI): Deposit {
  const bytes = (length: number, start: number): Bytes =>
    Uint8Array.from({ length }, (_, index) => (start + index + seed * 7) & 0xff);
  return { publicKey: bytes(48, 1), credentials: bytes(32, 60), amount, signature: bytes(96, 100) };
}

/** A number in 8 bytes, the lowest first, as deposits have it. */
export function littleEndian(value: bigint): Bytes {
  const bytes = zeros(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

/** The transaction of a deposit: `deposit` with the root of its data (consensus-specs, `DepositData`). */
export function depositCall({ publicKey, credentials, amount, signature }: Deposit): Json & { data: Hex; value: Hex } {
  const keyRoot = hashOf(publicKey, zeros(16));
  const signatureRoot = hashOf(sha256(signature.slice(0, 64)), hashOf(signature.slice(64), zeros(32)));
  const root = hashOf(hashOf(keyRoot, credentials), hashOf(littleEndian(amount), zeros(24), signatureRoot));
  const data = deposits.encodeFunctionData("deposit", [publicKey, credentials, signature, root]) as Hex;
  return { to: DEPOSIT_CONTRACT, value: quantity(amount * GWEI), data, gas: quantity(2_000_000) };
}

/** Data of a deposit's request, with the deposit's index in the contract (EIP-6110). */
export function depositRequest({ publicKey, credentials, amount, signature }: Deposit, index: number): Bytes {
  return concatBytes(publicKey, credentials, littleEndian(amount), signature, littleEndian(BigInt(index)));
}

/** `requestsHash` of a block with these requests, each its type and its data (EIP-7685). */
export function requestsHash(...requests: readonly (readonly [type: number, ...data: Bytes[]])[]): Hex {
  const hashes = requests.map(([type, ...data]) => hashOf(Uint8Array.of(type), ...data));
  return encodeData(hashes.length === 0 ? sha256(EMPTY_BYTES) : hashOf(...hashes));
}
