/** Lists the calls of a recording with decoded texts, for the explorer. */
import type { Steps } from "../../primitives/platform/turns.ts";
import type { CallFrame, FrameLog, Recording } from "../../tracer/recording.ts";
import type { AbiRegistry } from "../abi/registry.ts";
import { ConsoleDecoder } from "../console/console-decoder.ts";
import { FrameTexts } from "./frame-texts.ts";
import { framesOfTree, type TreeFrame } from "./tree.ts";

/** A call with the names that ABIs give to it. */
export interface DescribedCall {
  readonly frame: CallFrame;
  /** Name of the contract, or the address that was called or created. */
  readonly contract: string;
  /** Name or selector of the function; undefined for creations and for accounts without code. */
  readonly function: string | undefined;
  /** In parentheses; empty if there is no function. */
  readonly arguments: string;
  /** The decoded return value; empty if there is none or the call failed. */
  readonly result: string;
  /** The reason of the failure; undefined for success. */
  readonly failure: string | undefined;
  /** The console output, if the call is one to `console.log`. */
  readonly printed: string | undefined;
  readonly logs: readonly DescribedLog[];
}

/** A log with its text. */
export interface DescribedLog {
  readonly log: FrameLog;
  /** Name and arguments of the event; undefined if no ABI has it. */
  readonly text: string | undefined;
}

/** Most characters of one text, since contracts can return megabytes. */
const MOST_CHARACTERS = 2_000;

/**
 * Describes some calls of a recording made with logs, in order of entry. Texts are shortened, numbers are decimal.
 *
 * @param part - index of the first call, and most calls
 */
export function* describeCalls(
  recording: Recording,
  abi: AbiRegistry,
  part: { readonly from: number; readonly count: number },
): Steps<DescribedCall[]> {
  const { from, count } = part;
  const nodes = yield* framesOfTree(recording);
  const [outermost] = nodes;
  if (outermost === undefined) return [];
  const texts = new FrameTexts(abi, new ConsoleDecoder(), outermost);
  const described: DescribedCall[] = [];
  for (const frame of recording.frames.slice(from, from + count)) {
    yield;
    described.push(describe(texts, nodes[frame.index] as TreeFrame, frame));
  }
  return described;
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
