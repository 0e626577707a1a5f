/** What-if replays: a mined transaction with other members, other code or in another block, beside its own run. */
import { askAlone } from "../rpc/client.ts";
import type { HistoryComparison, Transaction } from "../rpc/types.ts";
import { blockIdOf, callObjectOf, type DraftCall, draftOf } from "./draft.ts";

/** Code that an account has instead, as typed: bytecode as DATA, or the JSON of an artifact. */
export interface OtherCode {
  readonly address: string;
  readonly code: string;
}

/** Changes of a transaction, as typed. */
export interface WhatIf {
  readonly call: DraftCall;
  /** Block at whose end it runs; empty for its own place. */
  readonly block: string;
  readonly codes: readonly OtherCode[];
}

/** Runs of a transaction. In each list of two, the mined one is first. */
export type ComparedTransaction = HistoryComparison["transactions"][number];

/** One run of it. */
export type Run = NonNullable<ComparedTransaction["runs"][number]>;

/** A transaction in both histories, and the others of its block that differ. */
export interface Compared {
  readonly own: ComparedTransaction;
  readonly others: readonly ComparedTransaction[];
}

/** The draft that changes nothing. */
export function unchanged(tx: Transaction): WhatIf {
  const [call] = draftOf(tx).calls;
  return { call: call as DraftCall, block: "", codes: [] };
}

/**
 * The parameter of `hindcast_replay`.
 *
 * @throws {Error} if a text is not valid
 */
export function requestOf(tx: Transaction, { call, block, codes }: WhatIf): object {
  const code = Object.fromEntries(codes.map((each) => [each.address.trim(), codeOf(each.code)]));
  if (block.trim() === "") {
    const members = changedMembers(tx, call);
    return { transaction: tx.hash, code, transactions: { replace: [{ transaction: tx.hash, call: members }] } };
  }
  const id = blockIdOf(block);
  const { accessList, authorizationList, blobVersionedHashes, maxFeePerBlobGas } = tx;
  const whole = { ...callObjectOf(call), accessList, authorizationList, blobVersionedHashes, maxFeePerBlobGas };
  return { blocks: [id, id], code, transactions: { insert: [{ block: id, call: whole }] } };
}

/**
 * Runs it, on a state in which nothing is stored.
 *
 * @throws {Error} if the node refuses it
 */
export async function compare(tx: Transaction, draft: WhatIf, signal: AbortSignal): Promise<Compared> {
  const replay = (request: object): Promise<HistoryComparison> => askAlone(signal, "hindcast_replay", request);
  const request = requestOf(tx, draft);
  const isElsewhere = draft.block.trim() !== "";
  // Another block has no run of it: the mined one comes from its own place.
  const [answer, mined] = await Promise.all([
    replay(request),
    isElsewhere ? replay(requestOf(tx, unchanged(tx))) : undefined,
  ]);
  const found = answer.transactions.find(({ change }) => change !== "none");
  if (found === undefined) throw new Error("The node's answer has no such transaction.");
  const others = answer.transactions.filter((each) => each !== found);
  const [first] = mined?.transactions ?? [];
  if (first === undefined) return { own: found, others };
  const beside = <Side>(own: readonly Side[], other: readonly Side[]): Side[] => [own[0] as Side, other[1] as Side];
  const own = { ...found, runs: beside(first.runs, found.runs), console: beside(first.console, found.console) };
  return { own, others };
}

/** The JSON of an artifact, of which only the code and its gaps are sent. */
export function artifactText(artifact: object): string {
  const { evm, deployedBytecode, ...members } = artifact as Readonly<Record<string, unknown>>;
  const code = deployedBytecode ?? (evm as { readonly deployedBytecode?: unknown } | undefined)?.deployedBytecode;
  if (code === undefined) throw new Error("It has no deployedBytecode: choose the artifact of one contract.");
  const { deployedLinkReferences, immutableReferences } = members;
  return JSON.stringify({ deployedBytecode: code, deployedLinkReferences, immutableReferences });
}

function codeOf(text: string): unknown {
  if (!text.trim().startsWith("{")) return text.trim();
  try {
    return JSON.parse(artifactText(JSON.parse(text) as object));
  } catch (error) {
    throw new Error(`Other code: ${(error as Error).message}`, { cause: error });
  }
}

/** Members that differ from the mined ones: the others stay as they are. */
function changedMembers(tx: Transaction, call: DraftCall): Readonly<Record<string, string>> {
  const mined = callObjectOf(unchanged(tx).call);
  return Object.fromEntries(Object.entries(callObjectOf(call)).filter(([name, value]) => value !== mined[name]));
}
