/** Renders the call tree of a transaction as text, in Foundry's layout. */
import { z } from "zod";
import { isCreation } from "../../evm/frames.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { once } from "../../primitives/once.ts";
import { hasTerminalColors, type TerminalColors, terminalColors } from "../../primitives/platform/terminal-colors.ts";
import { count, requireShape, type ShapesOf, shape, someOf } from "../../primitives/validation/shape.ts";
import type { GethCallFrame } from "../../tracer/formats/call-tracer.ts";
import type { Recording } from "../../tracer/recording.ts";
import { printable } from "../abi/describe-revert.ts";
import { formatBytes, formatInteger } from "../abi/format-value.ts";
import { AbiRegistry } from "../abi/registry.ts";
import { ConsoleDecoder } from "../console/console-decoder.ts";
import type { SolidityStack } from "../stack/stack-frame.ts";
import { stackText } from "../stack/stack-text.ts";
import { callKind, type FrameHead, FrameTexts, valueText } from "./frame-texts.ts";
import { type TreeFrame, type TreeItem, type TreeLog, treeOfCallTrace, treeOfRecording } from "./tree.ts";

/** How the tree is printed. */
export interface RenderOptions {
  /** ABIs for the names of functions, events and errors; default: none. */
  readonly abi?: AbiRegistry | undefined;
  /** Default: by the terminal on standard output and the variables NO_COLOR and FORCE_COLOR. */
  readonly colors?: boolean | undefined;
  /** Most lines; further ones are left out. Default 10,000. */
  readonly maxLines?: number | undefined;
  /** Stack trace of the failure, shown below the tree. */
  readonly solidityStack?: SolidityStack | undefined;
}

/** A recording made with logs, or the result of callTracer with its option `withLog`. */
export type RenderableTrace = Recording | GethCallFrame;

const renderable = once(() =>
  shape("a recording, or what callTracer gives as values instead of JSON", (trace) => {
    if (typeof trace !== "object" || trace === null) return false;
    return "frames" in trace || ("from" in trace && trace.from instanceof Uint8Array);
  }),
);
/** Shapes of the members of {@link RenderOptions}. */
export const renderShapes = (): ShapesOf<RenderOptions> => ({
  abi: shape("an AbiRegistry", (abi) => abi instanceof AbiRegistry),
  colors: z.boolean(),
  maxLines: count(),
  solidityStack: shape(
    "what node.solidityStack gives",
    (stack) => typeof stack === "object" && stack !== null && "frames" in stack,
  ),
});
const renderOptions = once(() => someOf<RenderOptions>(renderShapes()));

const DEFAULT_MAX_LINES = 10_000;
const BRANCH = "├─ ";
const LAST = "└─ ";
const TRUNK = "│   ";
const MARGIN = "  ";

/**
 * The call tree as text without a final newline.
 *
 * One line per call shows its gas, contract, function and arguments. Below it are its events and calls in order, and
 * last its result or the reason of its failure. Bytes that no ABI describes are shortened to their first four.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS`
 */
export function renderTrace(trace: RenderableTrace, options: RenderOptions = {}): string {
  requireShape(renderable(), trace, "trace");
  requireShape(renderOptions(), options, "options");
  const tree = "frames" in trace ? treeOfRecording(trace) : treeOfCallTrace(trace);
  if (tree === undefined) return "(nothing was executed)";
  const text = new Renderer(tree, options).render(tree);
  const { solidityStack } = options;
  return solidityStack === undefined ? text : `${text}\n${stackText(solidityStack)}`;
}

class Renderer {
  readonly #texts: FrameTexts;
  readonly #colors: TerminalColors;
  readonly #maxLines: number;
  readonly #lines: string[] = [];

  constructor(tree: TreeFrame, { abi, colors, maxLines }: RenderOptions) {
    this.#texts = new FrameTexts(abi ?? new AbiRegistry(), new ConsoleDecoder(), tree);
    this.#colors = terminalColors(colors ?? hasTerminalColors());
    this.#maxLines = maxLines ?? DEFAULT_MAX_LINES;
  }

  render(tree: TreeFrame): string {
    this.#frame(tree, "", MARGIN);
    const lines = this.#lines;
    if (lines.length <= this.#maxLines) return lines.join("\n");
    return [...lines.slice(0, this.#maxLines), "… (more lines were left out: see maxLines)"].join("\n");
  }

  /**
   * @param lead - text before the frame's own line
   * @param indent - text before the lines below it
   */
  #frame(frame: TreeFrame, lead: string, indent: string): void {
    const head = this.#texts.head(frame);
    this.#lines.push(`${lead}${this.#headLine(frame, head)}`);
    for (const item of frame.items) {
      if (this.#lines.length > this.#maxLines) return;
      this.#item(item, frame, indent);
    }
    this.#lines.push(`${indent}${LAST}${this.#resultLine(frame, head)}`);
  }

  #item(item: TreeItem, parent: TreeFrame, indent: string): void {
    const { cyan, red } = this.#colors;
    if (item.what === "log") {
      this.#log(item, parent, indent);
    } else if (item.what === "selfDestruct") {
      const { address, beneficiary, balance } = item;
      const from = this.#texts.account(address);
      const text = `${from} sends ${formatInteger(balance)} wei to ${this.#texts.account(beneficiary)}`;
      this.#lines.push(`${indent}${BRANCH}${red("selfdestruct")}: ${text}`);
    } else {
      const printed = this.#texts.consoleText(item);
      if (printed === undefined) this.#frame(item, `${indent}${BRANCH}`, `${indent}${TRUNK}`);
      else this.#lines.push(`${indent}${BRANCH}${cyan("console.log")}: ${printable(printed)}`);
    }
  }

  #log(log: TreeLog, emitter: TreeFrame, indent: string): void {
    const { cyan } = this.#colors;
    const event = this.#texts.event(log, emitter);
    if (event !== undefined) {
      this.#lines.push(`${indent}${BRANCH}emit ${cyan(event)}`);
      return;
    }
    const rows = log.topics.map((topic, index) => ["topic", `${index}: ${cyan(encodeData(topic))}`] as const);
    const data = ["data", `   ${cyan(formatBytes(log.data))}`] as const;
    for (const [index, [name, text]] of [...rows, data].entries()) {
      const start = index === 0 ? `${BRANCH}emit ` : `${TRUNK}    `;
      this.#lines.push(`${indent}${start}${name.padEnd(5)} ${text}`);
    }
  }

  #headLine(frame: TreeFrame, head: FrameHead): string {
    const { dim, green, red, yellow } = this.#colors;
    const paint = frame.error === undefined ? green : red;
    const kind = callKind(frame.kind);
    const called = head.name === undefined ? "" : `::${paint(head.name)}`;
    const { gasUsed, stateGasUsed = 0n } = frame;
    const text = `${paint(head.contract)}${called}${valueText(frame.value)}${head.arguments}`;
    return [
      dim(stateGasUsed === 0n ? `[${gasUsed}]` : `[${gasUsed}, ${stateGasUsed} for state]`),
      isCreation(frame.kind) ? yellow("→ new") : "",
      text,
      kind === "" ? "" : yellow(`[${kind}]`),
    ]
      .filter((part) => part !== "")
      .join(" ");
  }

  #resultLine(frame: TreeFrame, { item }: FrameHead): string {
    const { green, red } = this.#colors;
    if (frame.isReverted) return joined(red("← [Revert]"), red(this.#texts.revertReason(frame)));
    if (frame.error !== undefined) {
      return joined(red(frame.isStarted ? "← [Failed]" : "← [Not started]"), red(frame.error));
    }
    const result = this.#texts.result(frame, item);
    return result === "" ? green("← [Stop]") : joined(green("← [Return]"), result);
  }
}

function joined(marker: string, text: string): string {
  return text === "" ? marker : `${marker} ${text}`;
}
