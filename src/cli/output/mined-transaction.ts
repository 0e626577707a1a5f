/** What the log tells of a mined transaction: who sent it to whom, by name where there is one, and how it ended. */
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { describeRevert } from "../../explain/render/describe-revert.ts";
import type { HindcastNode } from "../../node/hindcast-node.ts";
import { checksumAddress } from "../../primitives/address.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, type Hex } from "../../primitives/bytes/hex.ts";
import { gethErrorText } from "../../tracer/formats/geth-errors.ts";
import type { Recording } from "../../tracer/recording.ts";

export interface MinedTransaction {
  readonly hash: Hex;
  readonly blockNumber: bigint;
  /** With a checksum, as all addresses here. */
  readonly from: string;
  /** `account 0` and so on for an account of the node. */
  readonly fromName: string | undefined;
  /** Undefined for a creation. */
  readonly to: string | undefined;
  /** The contract that it made; undefined where it failed. */
  readonly created: string | undefined;
  /** Name of the contract that was called or made, where an ABI knows it. */
  readonly contractName: string | undefined;
  /** Name of the function that was called, where an ABI knows it. */
  readonly functionName: string | undefined;
  readonly gasUsed: bigint;
  /** Why it failed; undefined for one that did not. */
  readonly failure: string | undefined;
  /** What it did, where that is wanted. */
  readonly tree: string | undefined;
}

/** Characters; a contract may give megabytes. */
const MAX_REASON_LENGTH = 300;

/** How a mined transaction ended. */
export interface MinedOutcome {
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
  readonly failed: boolean;
  /** Address of the contract that a creation was to make. */
  readonly contractAddress: Bytes | undefined;
  /** What it did; undefined where it was not run again. */
  readonly recording: Recording | undefined;
}

/** Puts together what the log tells. */
export async function describeMined(
  node: HindcastNode,
  tx: Transaction,
  outcome: MinedOutcome,
  tree: string | undefined,
): Promise<MinedTransaction> {
  const { blockNumber, gasUsed, failed, contractAddress } = outcome;
  const account = node.accounts.findIndex(({ address }) => equalBytes(address, tx.sender));
  return {
    hash: encodeData(tx.hash),
    blockNumber,
    from: checksumAddress(tx.sender),
    fromName: account < 0 ? undefined : `account ${account}`,
    to: tx.to && checksumAddress(tx.to),
    created: failed || contractAddress === undefined ? undefined : checksumAddress(contractAddress),
    ...(await namesOf(node, tx)),
    gasUsed,
    failure: failed ? reasonOf(node, outcome.recording) : undefined,
    tree,
  };
}

async function namesOf(
  node: HindcastNode,
  { to, data }: Transaction,
): Promise<Pick<MinedTransaction, "contractName" | "functionName">> {
  const { abi } = node;
  if (abi.isEmpty) return { contractName: undefined, functionName: undefined };
  if (to === undefined) return { contractName: abi.contractOf(data)?.contract.name, functionName: undefined };
  const contract = abi.contractAt(to, await node.getCode(to));
  return { contractName: contract?.name, functionName: abi.decodeCall(data, contract)?.item.name };
}

/** A revert by its text, panic or custom error; any other failure in geth's words. */
function reasonOf({ abi }: HindcastNode, recording: Recording | undefined): string {
  const outermost = recording?.frames[0];
  if (outermost?.error === undefined) return "the reason is not known";
  const { error, detail, output, to, code } = outermost;
  if (error !== "reverted") return gethErrorText(error, detail);
  const reason = describeRevert(output, abi, abi.contractAt(to, code)) || "reverted without a reason";
  return reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason;
}
