/** Describes a mined transaction for the log: sender, recipient and function, by name if known, and its result. */
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { FrameKind } from "../../evm/frames.ts";
import { describeRevert } from "../../explain/abi/describe-revert.ts";
import { implementationOf } from "../../explain/abi/minimal-proxy.ts";
import type { HindcastNode } from "../../node/hindcast-node.ts";
import { checksumAddress } from "../../primitives/address.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, type Hex } from "../../primitives/bytes/hex.ts";
import { gethErrorText } from "../../tracer/formats/geth-errors.ts";
import type { Recording } from "../../tracer/recording.ts";

/** Facts of one transaction for the log, in text where the log prints text. */
export interface MinedTransaction {
  readonly hash: Hex;
  readonly blockNumber: bigint;
  /** With a checksum, like all addresses here. */
  readonly from: string;
  /** `account 0` and so on for accounts of the node. */
  readonly fromName: string | undefined;
  /** Undefined for a creation. */
  readonly to: string | undefined;
  /** As {@link fromName}. */
  readonly toName: string | undefined;
  /** The created contract; undefined if the creation failed. */
  readonly created: string | undefined;
  /** Name of the called or created contract, if an ABI has it. */
  readonly contractName: string | undefined;
  /** Name of the called function, if an ABI has it. */
  readonly functionName: string | undefined;
  readonly gasUsed: bigint;
  /** The part of it that is for state, before refunds; undefined before Amsterdam. */
  readonly stateGasUsed?: bigint | undefined;
  /** Reason of a failure; undefined if it succeeded. */
  readonly failure: string | undefined;
  /** Its call tree, if wanted. */
  readonly tree: string | undefined;
}

/** In characters; a contract may return megabytes. */
const MAX_REASON_LENGTH = 300;

/** The result of a mined transaction. */
export interface MinedOutcome {
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
  /** undefined before Amsterdam */
  readonly stateGasUsed: bigint | undefined;
  readonly failed: boolean;
  /** Address of the contract that it creates. */
  readonly contractAddress: Bytes | undefined;
  /** Its recording; undefined if it was not run again. */
  readonly recording: Recording | undefined;
}

/** Builds the description. */
export async function describeMined(
  node: HindcastNode,
  tx: Transaction,
  outcome: MinedOutcome,
  tree: string | undefined,
): Promise<MinedTransaction> {
  const { blockNumber, gasUsed, stateGasUsed, failed, contractAddress } = outcome;
  return {
    hash: encodeData(tx.hash),
    blockNumber,
    from: checksumAddress(tx.sender),
    fromName: accountName(node, tx.sender),
    to: tx.to && checksumAddress(tx.to),
    toName: tx.to && accountName(node, tx.to),
    created: failed || contractAddress === undefined ? undefined : checksumAddress(contractAddress),
    ...(await namesOf(node, tx)),
    gasUsed,
    stateGasUsed,
    failure: failed ? reasonOf(node, outcome.recording) : undefined,
    tree,
  };
}

function accountName({ accounts }: HindcastNode, wanted: Bytes): string | undefined {
  const index = accounts.findIndex(({ address }) => equalBytes(address, wanted));
  return index < 0 ? undefined : `account ${index}`;
}

async function namesOf(
  node: HindcastNode,
  { to, data }: Transaction,
): Promise<Pick<MinedTransaction, "contractName" | "functionName">> {
  const { abi } = node;
  if (abi.isEmpty) return { contractName: undefined, functionName: undefined };
  if (to === undefined) {
    await abi.refresh();
    return { contractName: abi.contractOf(data)?.contract.name, functionName: undefined };
  }
  const code = await node.getCode(to);
  const cloned = implementationOf(code);
  const run = { to: cloned ?? to, code: cloned === undefined ? code : await node.getCode(cloned) };
  await abi.refreshFor([{ kind: FrameKind.call, input: data, ...run }]);
  const contract = abi.contractAt(to, code) ?? abi.contractAt(run.to, run.code);
  return { contractName: contract?.name, functionName: abi.functionOf(data, contract)?.name };
}

/** The reason of a failure: a revert's text, panic or custom error, or else geth's text. */
function reasonOf({ abi }: HindcastNode, recording: Recording | undefined): string {
  const outermost = recording?.frames[0];
  if (outermost?.error === undefined) return "the reason is not known";
  const { error, detail, output, to, code } = outermost;
  if (error !== "reverted") return gethErrorText(error, detail);
  const reason = describeRevert(output, abi, abi.contractAt(to, code)) || "reverted without a reason";
  return reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason;
}
