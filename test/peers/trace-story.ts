/** A chain that does everything traces tell of, told twice: to a peer and to us, by the same requests. */
import { type Bytes, concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, BOB, CAROL, quantity, wordText } from "../support/a-node.ts";
import { assemble, calling, deploying, fromHex, storing } from "../support/assembler.ts";

export type Ask = <T = unknown>(method: string, ...params: unknown[]) => Promise<T>;

/** A transaction of the story, mined. */
export interface Told {
  readonly name: string;
  readonly hash: Hex;
}

export interface Story {
  readonly transactions: readonly Told[];
  /** Number of the block that has them all but the deployments, one by one before it. */
  readonly block: Hex;
}

const NOBODY = addressText(0xd0);
const precompile = (number: number): Bytes => fromHex(wordText(number).slice(26));
/** Words that create a contract by CREATE or, with a salt, CREATE2; the address is left. */
const creating = (init: Bytes, salt = ""): string =>
  `${storing(init)} ${salt} ${init.length} 0 0 ${salt === "" ? "CREATE" : "CREATE2"}`;

const REVERTING = assemble("0xdeadbeef 0 MSTORE 4 28 REVERT");
/** Reverts with Error("no"). */
const REASON = assemble(
  `${storing(fromHex("08c379a0"))} 32 4 MSTORE 2 36 MSTORE ${storing(fromHex("6e6f")).replace(" 0 MSTORE", "")} 68 MSTORE 100 0 REVERT`,
);
const STORING = assemble("0 CALLDATALOAD DUP1 SLOAD 1 ADD SWAP1 SSTORE 7 0 CALLDATALOAD 0 0 LOG2");

/** Runtime codes in the order of deployment; each may call those before it. */
const CONTRACTS: readonly (readonly [name: string, code: (at: (name: string) => Bytes) => Bytes])[] = [
  ["stores", () => STORING],
  ["reverts", () => REVERTING],
  ["reason", () => REASON],
  ["invalid", () => assemble("1 POP INVALID")],
  ["underflow", () => assemble("ADD")],
  ["badJump", () => assemble("3 JUMP")],
  ["dies", () => assemble(`0x${Buffer.from(fromHex(NOBODY)).toString("hex")} SELFDESTRUCT`)],
  [
    "creates",
    () =>
      assemble(
        `${creating(assemble("0 0 MSTORE8 1 0 RETURN"))} POP ${creating(REVERTING)} POP ` +
          `${creating(assemble("0 0 MSTORE8 1 0 RETURN"), "9")} POP ${creating(assemble("INVALID"))}`,
      ),
  ],
  [
    "precompiles",
    () =>
      assemble(
        `0xabcd 0 MSTORE ${calling("STATICCALL", precompile(2))} POP ${calling("CALL", precompile(4))} POP ` +
          `64 64 32 0 0 0x${"00".repeat(19)}04 GAS CALL POP ${calling("DELEGATECALL", precompile(3))} POP ${calling("CALL", precompile(9))}`,
      ),
  ],
  ["sends", () => assemble(`${calling("CALL", fromHex(NOBODY), 1n)} POP ${calling("CALL", fromHex(BOB), 0n)}`)],
  ["poor", () => assemble(`${calling("CALL", fromHex(BOB), 10n ** 18n)} POP 1 0 SSTORE`)],
  [
    "delegates",
    (at) =>
      assemble(
        `${calling("DELEGATECALL", at("stores"))} POP ${calling("CALLCODE", at("stores"), 1n)} POP ${calling("STATICCALL", at("stores"))}`,
      ),
  ],
  [
    "relay",
    (at) =>
      assemble(
        ["stores", "reverts", "invalid", "creates", "dies"]
          .map((name) => `${calling("CALL", at(name), name === "dies" ? 1n : 0n)} POP`)
          .join(" "),
      ),
  ],
  ["undoes", (at) => assemble(`${calling("CALL", at("relay"))} POP ${calling("CALL", at("stores"))} POP 0 0 REVERT`)],
];

/** Calls and creations of the last block. */
const calls = (at: (name: string) => Hex): readonly (readonly [name: string, transaction: object])[] => [
  ["a transfer", { to: BOB, value: "0x5" }],
  ["a first funding", { to: addressText(0xd1), value: "0x5" }],
  ["a store and a log", { to: at("stores"), data: wordText(3) }],
  ["the same slot again", { to: at("stores"), data: wordText(3) }],
  ["a revert", { to: at("reverts") }],
  ["a revert with a reason", { to: at("reason") }],
  ["an invalid opcode", { to: at("invalid") }],
  ["a stack underflow", { to: at("underflow") }],
  ["a bad jump", { to: at("badJump") }],
  ["out of gas", { to: at("stores"), data: wordText(9), gas: quantity(30_000) }],
  ["creations", { to: at("creates") }],
  ["precompiles", { to: at("precompiles") }],
  ["a precompile as target", { to: `0x${"00".repeat(19)}02`, data: "0x01" }],
  ["value sent on", { to: at("sends"), value: "0x7" }],
  ["value that is not there", { to: at("poor") }],
  ["delegates", { to: at("delegates"), value: "0x9" }],
  ["a relay", { to: at("relay"), value: "0x9" }],
  ["what is undone", { to: at("undoes"), value: "0x9" }],
  ["a creation", { data: encodeData(deploying(concatBytes(STORING, Uint8Array.of(0)))) }],
  ["a creation that stores and reverts", { data: encodeData(concatBytes(assemble("1 0 SSTORE"), REVERTING)) }],
  ["a creation without code", { data: "0x00", value: "0x2" }],
  ["a contract that dies", { to: at("dies"), value: "0x3" }],
  ["another sender", { from: CAROL, to: at("stores"), data: wordText(0) }],
];

/** Tells the story: one block for each contract, then one with everything else. */
export async function tell(ask: Ask): Promise<Story> {
  const fees = {
    gas: quantity(1_000_000),
    maxFeePerGas: quantity(10n ** 10n),
    maxPriorityFeePerGas: quantity(10n ** 9n),
  };
  const nextBlock = async (): Promise<void> => {
    await ask("anvil_setNextBlockBaseFeePerGas", quantity(10n ** 9n));
    await ask("evm_mine");
  };
  await ask("evm_setAutomine", false);
  const addresses = new Map<string, Hex>();
  const at = (name: string): Hex => addresses.get(name) ?? "0x";
  for (const [name, code] of CONTRACTS) {
    const data = encodeData(deploying(code((other) => fromHex(at(other)))));
    const hash = await ask<Hex>("eth_sendTransaction", { from: ALICE, data, ...fees });
    await nextBlock();
    const receipt = await ask<{ contractAddress: Hex }>("eth_getTransactionReceipt", hash);
    addresses.set(name, receipt.contractAddress.toLowerCase() as Hex);
  }
  const transactions: Told[] = [];
  for (const [name, call] of calls(at)) {
    const hash = await ask<Hex>("eth_sendTransaction", { from: ALICE, ...fees, ...call });
    transactions.push({ name, hash });
  }
  await nextBlock();
  return { transactions, block: await ask<Hex>("eth_blockNumber") };
}
