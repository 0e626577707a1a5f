/** A Solidity stack trace as text, the innermost line first, as in JavaScript. */
import { checksumAddress } from "../../primitives/address.ts";
import { printable } from "../abi/describe-revert.ts";
import { formatArguments } from "../abi/format-value.ts";
import type { SourceMatch } from "../source/build.ts";
import type { Recognition } from "../source/code-finder.ts";
import { functionAround } from "../source/source-file.ts";
import { reasonText } from "./reason-text.ts";
import type { SolidityFrame, SolidityStack } from "./stack-frame.ts";

/** Frames that are shown at each end of a long stack. */
const SHOWN = 20;
/** Characters of a frame's arguments that are shown. */
const SHOWN_ARGUMENTS = 200;
const RECOGNITIONS: Readonly<Partial<Record<Recognition, string>>> = {
  withoutMetadata: "recognised without its metadata",
  similar: "its code is only similar",
};

const SOURCE_MATCHES: Readonly<Record<SourceMatch, string>> = {
  full: "source from a server",
  partial: "source from a server, partial match",
};

/** Causes that are shown below one another. */
const SHOWN_CAUSES = 5;

/** The reason, the failing line, and the lines that led to it; the same of a call that may be the cause. */
export function stackText(stack: SolidityStack): string {
  const texts: string[] = [];
  for (let each: SolidityStack | undefined = stack; each && texts.length <= SHOWN_CAUSES; each = each.causedBy) {
    texts.push(ownText(each));
  }
  return texts.join("\npossibly caused by a call that failed: ");
}

function ownText({ frames, reason }: SolidityStack): string {
  const lines = frames.map(frameText).reverse();
  const left = lines.length - 2 * SHOWN;
  const shown = left > 0 ? [...lines.slice(0, SHOWN), `    … (${left} more)`, ...lines.slice(-SHOWN)] : lines;
  const source = sourceLine(frames.at(-1));
  if (source !== undefined) shown.splice(1, 0, source);
  return [reasonText(reason), ...shown].join("\n");
}

/** `    at Vault.withdraw(amount: 5) (src/Vault.sol:41:9)`, without arguments that are not known. */
function frameText(frame: SolidityFrame): string {
  const place = placeText(frame);
  if (frame.range === undefined) {
    const name = frame.contract === undefined ? "an unknown contract" : `a clone of ${frame.contract}`;
    return `    at ${frame.isCreation ? "the creation of an unknown contract" : `${name} (${place})`}`;
  }
  const title = `${titleOf(frame)}${argumentsOf(frame)}`;
  const notes = [
    frame.isApproximate ? "line approximate" : "",
    frame.recognition === undefined ? "" : (RECOGNITIONS[frame.recognition] ?? ""),
    frame.sourceMatch === undefined ? "" : SOURCE_MATCHES[frame.sourceMatch],
    frame.namesakes.length > 0 ? `same code as ${frame.namesakes.join(", ")}` : "",
  ].filter((note) => note !== "");
  return `    at ${title} (${place})${notes.length === 0 ? "" : ` [${notes.join("; ")}]`}`;
}

/**
 * `Vault.withdraw`; only the contract outside of functions. Internal functions of libraries have the library's name.
 */
function titleOf({ contract, function: name, range }: SolidityFrame): string {
  const definition = functionAround(range)?.contract;
  const owner = definition?.kind === "library" ? definition.name : contract;
  return [owner, name].filter((part) => part !== undefined).join(".");
}

function argumentsOf({ arguments: given }: SolidityFrame): string {
  if (given === undefined || given.length === 0) return "";
  const text = formatArguments(given, true);
  return `(${text.length > SHOWN_ARGUMENTS ? `${text.slice(0, SHOWN_ARGUMENTS)}…` : text})`;
}

function placeText({ range, address }: SolidityFrame): string {
  if (range === undefined) return address === undefined ? "no address" : checksumAddress(address);
  const { line, column } = range.file.positionOf(range.start);
  return `${range.file.path}:${line}:${column}`;
}

function sourceLine(frame: SolidityFrame | undefined): string | undefined {
  if (frame?.range === undefined) return undefined;
  const { file, start } = frame.range;
  const { line } = file.positionOf(start);
  return `      ${line} | ${printable(file.lineText(line).trim())}`;
}
