/** Text lines of the log. Each begins with the time; control characters are removed. */

import type { Block } from "../../chainspec/header/block.ts";
import type { ConsoleLog } from "../../explain/console/console-logs.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { terminalColors } from "../../primitives/platform/terminal-colors.ts";
import type { ExplainedCall, MinedBlocks } from "./execution-log.ts";
import type { MinedTransaction } from "./mined-transaction.ts";

/** Width of the time in front of a line. */
const INDENT = " ".repeat(13);
/** Characters of a hash or an address that are shown. */
const HASH_LENGTH = 10;
const ADDRESS_LENGTH = 8;

/** A `console.log` line with the time. It may have several rows, but no control characters. */
export function printedText({ text }: ConsoleLog, now: Date): string {
  const rows = text.replace(/[^\P{Cc}\n]+/gu, " ").split("\n");
  return `${clockText(now)} console.log: ${rows.join(`\n${INDENT}`)}\n`;
}

/** Options for the log line of a mined transaction. */
export interface MinedLooks {
  readonly colored?: boolean;
  /** Address of the explorer. The line of a failed transaction links to its page. */
  readonly explorerUrl?: string | undefined;
}

/** A mined transaction with its call tree, if it has one. */
export function minedText(mined: MinedTransaction, now: Date, looks: MinedLooks = {}): string {
  const { colored = false, explorerUrl } = looks;
  const { hash, blockNumber, failure, tree } = mined;
  const { red } = terminalColors(colored);
  const ending = failure === undefined ? "" : red(`, FAILED: ${failure}`);
  const line = `mined ${hash.slice(0, HASH_LENGTH)}… in block ${blockNumber}: ${partiesOf(mined)}, ${gasText(mined)}`;
  const link = failure === undefined || explorerUrl === undefined ? "" : `${INDENT}${explorerUrl}#/tx/${hash}\n`;
  return `${clockText(now)} ${line}${ending}\n${tree === undefined ? "" : `${tree}\n`}${link}`;
}

function gasText({ gasUsed, stateGasUsed = 0n }: Pick<MinedTransaction, "gasUsed" | "stateGasUsed">): string {
  return `${gasUsed} gas${stateGasUsed === 0n ? "" : ` (${stateGasUsed} for state)`}`;
}

function partiesOf(mined: MinedTransaction): string {
  const { from, fromName, to, toName, created, contractName, functionName } = mined;
  const sender = fromName ?? shortAddress(from);
  if (created !== undefined) return `${sender} created ${contractName ?? "a contract"} at ${created}`;
  const target = contractName ?? toName ?? (to === undefined ? "a new contract" : shortAddress(to));
  return `${sender} → ${target}${functionName === undefined ? "" : `::${functionName}`}`;
}

/** One line per block, but one for consecutive empty blocks. Empty if the transaction's line shows the block. */
export function blocksText({ removed, added, isByInterval }: MinedBlocks, now: Date): string {
  const lines: string[] = [];
  if (removed.length > 0) lines.push(`${rangeText(removed)} left the chain`);
  // The line of a transaction names its block, so that a block with a single one needs no line.
  const isOneLine = !isByInterval && removed.length === 0 && added.length === 1 && added[0]?.transactions.length === 1;
  for (const run of isOneLine ? [] : emptyRuns(added))
    lines.push(run.length > 1 ? `${rangeText(run)}: empty` : blockText(run));
  return lines.map((line) => `${clockText(now)} ${line}\n`).join("");
}

function blockText(run: readonly Block[]): string {
  const [{ hash, header, transactions }] = run as readonly [Block];
  const count = transactions.length;
  const content = count === 0 ? "empty" : `${count} transaction${count === 1 ? "" : "s"}, ${header.gasUsed} gas`;
  return `block ${header.number} ${encodeData(hash).slice(0, HASH_LENGTH)}…: ${content}`;
}

/** Groups blocks: consecutive empty ones together, others alone. */
function emptyRuns(blocks: readonly Block[]): Block[][] {
  const runs: Block[][] = [];
  for (const block of blocks) {
    const last = runs.at(-1);
    const continues = block.transactions.length === 0 && last?.[0]?.transactions.length === 0;
    if (continues) last?.push(block);
    else runs.push([block]);
  }
  return runs;
}

function rangeText(blocks: readonly Block[]): string {
  const [first, last] = [blocks[0], blocks.at(-1)].map((block) => block?.header.number);
  return first === last ? `block ${first}` : `blocks ${first} to ${last}`;
}

/** A simulated call with the time. */
export function explainedCallText(call: ExplainedCall, now: Date): string {
  return `${clockText(now)} call ${call.failed ? "failed" : "succeeded"} with ${gasText(call)}\n${call.tree}\n`;
}

/** A message about something slow or otherwise noteworthy, with the time. */
export function noticeText(text: string, now: Date): string {
  return `${clockText(now)} ${text.replace(/\p{Cc}+/gu, " ")}\n`;
}

function shortAddress(address: string): string {
  return `${address.slice(0, ADDRESS_LENGTH)}…${address.slice(-4)}`;
}

/** The time as in the request log. */
function clockText(now: Date): string {
  return now.toISOString().slice(11, 23);
}
