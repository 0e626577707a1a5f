// Public code that nobody wrote for this bench: transactions of other engines' benchmarks, and blocks full of one instruction.
//
// Both belong to others and lie outside of the repository: in HINDCAST_ENGINE_CASES, or else in ../../shared.
//   engine-fixtures/*.json             the transactions of paradigmxyz/revmc: `pre`, `transaction`
//   engine-benchmark/blocks.ndjson.br  blocks of ethereum/execution-specs' benchmark tests, a test a line, compressed
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { fromRlp, parseTransaction, recoverTransactionAddress, toRlp } from "viem";

export const FOLDER = process.env.HINDCAST_ENGINE_CASES ?? fileURLToPath(new URL("../../shared", import.meta.url));
const FIXTURES = join(FOLDER, "engine-fixtures");
const BLOCKS = join(FOLDER, "engine-benchmark/blocks.ndjson.br");
/** Three of the fixtures take more gas than any block has. */
const FIXTURE_GAS = "0xe8d4a51000";

/** What a row says in place of a folder that is not there. */
export const ABSENT = `skipped: there is no ${FOLDER}; set HINDCAST_ENGINE_CASES`;

/** Tests of blocks, in their own form; none without the folder. */
export function blockTests() {
  if (!existsSync(BLOCKS)) return [];
  const lines = brotliDecompressSync(readFileSync(BLOCKS)).toString().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** The short name of a test of a block. */
export const blockName = ({ name }) =>
  name.replace(/\[fork_Osaka-blockchain_test-(.*?)-?benchmark-gas-value_10M\]$/, " $1").trim();

/**
 * All cases as calls: a name, the hardfork, the accounts that are there before, and the parameters of an eth_call. The transactions
 * have more gas than any has from Osaka on (EIP-7825).
 *
 * @returns {Promise<{ label: string, hardfork: string, accounts: Record<string, object>, call: object }[]>} none without the folder
 */
export async function publicCases() {
  const fixtures = existsSync(FIXTURES) ? readdirSync(FIXTURES).filter((name) => name.endsWith(".json")) : [];
  const blocks = await Promise.all(blockTests().map(caseOfBlock));
  return [...fixtures.map(caseOfFixture), ...blocks.filter((known) => known !== undefined)];
}

function caseOfFixture(file) {
  const [{ pre, transaction }] = Object.values(JSON.parse(readFileSync(join(FIXTURES, file), "utf8")));
  const [{ sender, to, data, value }] = transaction;
  const call = { from: sender, to, data, value: quantity(value), gas: FIXTURE_GAS };
  return { label: `public transaction: ${file.replace(".json", "")}`, hardfork: "prague", accounts: pre, call };
}

/** The first transaction of a test's last block; undefined for one without. */
async function caseOfBlock(test) {
  const [, transactions] = fromRlp(test.blocks.at(-1).rlp, "hex");
  const [first] = transactions;
  if (first === undefined) return undefined;
  const serialized = typeof first === "string" ? first : toRlp(first);
  const { to, data, value, gas } = parseTransaction(serialized);
  const from = await recoverTransactionAddress({ serializedTransaction: serialized });
  const call = { from, to: to ?? undefined, data: data ?? "0x", value: quantity(value ?? 0n), gas: quantity(gas) };
  return { label: `public block: ${blockName(test)}`, hardfork: "osaka", accounts: test.pre, call };
}

/** The files have leading zeros. */
export const quantity = (value) => `0x${BigInt(value).toString(16)}`;
const word = (value) => `0x${BigInt(value).toString(16).padStart(64, "0")}`;

/** Gives a node the accounts of a case. */
export async function place(ask, { accounts }) {
  for (const [address, { balance, nonce, code, storage = {} }] of Object.entries(accounts)) {
    await ask("hardhat_setBalance", address, quantity(balance));
    if (BigInt(nonce) > 0n) await ask("hardhat_setNonce", address, quantity(nonce));
    await ask("hardhat_setCode", address, code);
    for (const [slot, value] of Object.entries(storage)) {
      await ask("hardhat_setStorageAt", address, quantity(slot), word(value));
    }
  }
}

/** The output of a call, or that it failed: some of these run until their gas is used up. */
export async function outcomeOf(ask, { call }) {
  try {
    return await ask("eth_call", call, "latest");
  } catch {
    return "failed";
  }
}
