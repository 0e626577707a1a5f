/** The calls of a recording in words, one by one: what a page shows that lays them out itself. */
import type { CallFrame, FrameLog, Recording } from "../../tracer/recording.ts";
import type { AbiRegistry } from "../abi/registry.ts";
import { ConsoleDecoder } from "../console/console-decoder.ts";
import { FrameTexts } from "./frame-texts.ts";
import { type TreeFrame, treeOfRecording } from "./tree.ts";

/** A call with the names that ABIs give to it. */
export interface DescribedCall {
  readonly frame: CallFrame;
  /** Contract's name, or the address that was called or made. */
  readonly contract: string;
  /** Function's name or selector; undefined for creations and for accounts that run nothing. */
  readonly function: string | undefined;
  /** In parentheses; empty where there is no function. */
  readonly arguments: string;
  /** The decoded return value; empty if there is none or the call failed. */
  readonly result: string;
  /** Why it failed; undefined for success. */
  readonly failure: string | undefined;
  /** The console output, if the call is one to `console.log`. */
  readonly printed: string | undefined;
  readonly logs: readonly DescribedLog[];
}

export interface DescribedLog {
  readonly log: FrameLog;
  /** By name; undefined where no ABI has it. */
  readonly text: string | undefined;
}

/** Characters of one text: contracts write megabytes into reasons and arguments. */
const MOST_CHARACTERS = 2_000;

/**
 * Some calls of a recording made with logs, in order of entry; texts of contracts are shortened, numbers are decimal.
 *
 * @param part - index of the first that is wanted, and how many
 */
export function describeCalls(
  recording: Recording,
  abi: AbiRegistry,
  part: { readonly from: number; readonly count: number },
): DescribedCall[] {
  const { from, count } = part;
  const tree = treeOfRecording(recording);
  if (tree === undefined) return [];
  const texts = new FrameTexts(abi, new ConsoleDecoder(), tree);
  const nodes = [...inOrder(tree)].slice(from, from + count);
  return nodes.map((node, index) => describe(texts, node, recording.frames[from + index] as CallFrame));
}

/** Parents before children, as frames are recorded. */
function* inOrder(tree: TreeFrame): Generator<TreeFrame> {
  yield tree;
  for (const item of tree.items) if (item.what === "frame") yield* inOrder(item);
}

function describe(texts: FrameTexts, node: TreeFrame, frame: CallFrame): DescribedCall {
  const head = texts.head(node);
  return {
    frame,
    contract: shortened(head.contract),
    function: shortened(head.name),
    arguments: shortened(head.arguments),
    result: node.error === undefined ? shortened(texts.result(node, head.item)) : "",
    failure: shortened(node.isReverted ? texts.revertReason(node) || "reverted without a reason" : node.error),
    printed: shortened(texts.consoleText(node)),
    logs: frame.logs.map((log) => ({ log, text: shortened(texts.event({ what: "log", ...log }, node)) })),
  };
}

function shortened<Text extends string | undefined>(text: Text): Text {
  if (text === undefined || text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}… (${text.length} characters)` as Text;
}
