/** `hindcast check`: reads a complete data folder, reports what is wrong, and repairs what can be rebuilt. */
import type { CheckReport } from "../chain/check/check-chain.ts";
import { type Finding, findingText } from "../chain/check/findings.ts";
import type { FolderReport } from "../node/check-data-folder.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { nearestName } from "../primitives/validation/nearest-name.ts";
import type { GivenValues } from "./flags/flags.ts";
import { usageError } from "./flags/option-values.ts";
import { parseCommandLine } from "./options/command-line.ts";
import { naming } from "./options/files.ts";
import { readGenesisFile } from "./options/genesis-file.ts";
import { toNodeOptions, withMnemonic } from "./options/node-options.ts";
import type { CliSettings } from "./options/settings.ts";

const REPAIR = "--repair";

const HELP = `Usage: hindcast check --data-dir <folder> [${REPAIR}]

Reads everything in a data folder that no node has open, and says what is wrong and where: blocks that are not what their
hashes say, receipts and access lists that do not match their headers, indexes that do not match their blocks, states that
lack a part.

  ${REPAIR}  write what can be made again: indexes, receipts, and states by executing their blocks; go back to the
            last block before one that cannot be read

The chain of a folder follows from the flags that its node was started with: give the same ones, such as --genesis or
--hardfork. Folders of forks are not checked.
Exit codes: 0 nothing is wrong (any more), 1 something is, 2 wrong flags.
`;

/** Request of the command line: a check, or a text such as the help. */
export type CheckCommandLine =
  | { readonly kind: "run"; readonly values: GivenValues; readonly isRepaired: boolean }
  | { readonly kind: "print"; readonly text: string };

/**
 * Parses the arguments after `hindcast check`.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`
 */
export function checkCommandLine(argv: readonly string[], version: string): CheckCommandLine {
  if (argv.includes("--help") || argv.includes("-h")) return { kind: "print", text: HELP };
  const flags = argv.filter((argument) => argument !== REPAIR);
  const [first = ""] = flags;
  if (/^[^-]/.test(first)) {
    throw usageError(
      `hindcast check takes only flags, got ${JSON.stringify(first)}.`,
      `Did you mean --data-dir ${first}?`,
    );
  }
  const misspelled = flags.find((flag) => nearestName(flag, [REPAIR]) !== undefined);
  if (misspelled !== undefined) throw usageError(`unknown option '${misspelled}' (Did you mean ${REPAIR}?).`);
  const line = parseCommandLine(flags, version);
  if (line.kind === "print") return line;
  return { kind: "run", values: line.values, isRepaired: flags.length < argv.length };
}

/**
 * Checks the data folder of some settings.
 *
 * @returns the text to print, and whether the folder has no errors at the end
 * @throws {StoreError} for a folder that cannot be opened
 * @throws {InvalidParamsError} `INVALID_OPTION`
 */
export async function runCheckCommand(
  wanted: CliSettings,
  isRepaired: boolean,
): Promise<{ readonly text: string; readonly isSound: boolean }> {
  const settings = withMnemonic(wanted);
  const { dataDir, genesisPath } = settings;
  if (dataDir === undefined) throw usageError("hindcast check needs --data-dir, the folder to look at.");
  const genesis = genesisPath === undefined ? undefined : await readGenesisFile(genesisPath);
  const { checkDataFolder } = await import("../node/check-data-folder.ts");
  const check = () => checkDataFolder(toNodeOptions(settings, genesis), isRepaired);
  const report = genesisPath === undefined ? await check() : await naming(["--genesis", genesisPath], check);
  return { text: reportText(dataDir, report, isRepaired), isSound: report.left.length === 0 };
}

/** Sentences on the folder of a shared chain, which may be the writer's or a copy. */
const FILLED_AGAIN =
  "The chain is shared. A node with --follow or --shared fills the folder again at its next start. " +
  "If it is the folder of a writer with --share, its readers begin from a base.";
const DELETE_COPY =
  "The chain is shared. If the folder is of a node with --follow or --shared, delete it: it is filled again. " +
  `If it is of a writer with --share, use ${REPAIR}.`;

function reportText(dataDir: string, report: FolderReport, isRepaired: boolean): string {
  const { blocks, canonicalBlocks, trieNodes, found, left } = report;
  const isLeft = new Set(left.map(findingText));
  const lines = [...report.notices];
  const findings = found.map((finding) => {
    const text = findingText(finding);
    if (!isLeft.has(text)) return `repaired: ${text}`;
    return `${isLost(finding, isRepaired) ? "lost" : "wrong"}: ${text}`;
  });
  lines.push(...findings, ...removalText(report, isRepaired));
  const sizes = `${blocks} blocks, ${canonicalBlocks} of them on the chain, and ${trieNodes} trie nodes`;
  lines.push(`Read ${dataDir}: ${sizes}. ${verdict(report, isRepaired)}`);
  if (report.isShared && found.length > 0) lines.push(isRepaired ? FILLED_AGAIN : DELETE_COPY);
  return `${lines.join("\n")}\n`;
}

/** The block to which a chain goes back because one after it cannot be read. */
function removalText({ found, left, head }: CheckReport, isRepaired: boolean): string[] {
  const isRemoval = ({ remedy }: Finding): boolean => remedy?.kind === "remove";
  if (!found.some(isRemoval) || left.some(isRemoval) || !isRepaired || head === undefined) return [];
  return [`The head is block ${head.number} now, ${encodeData(head.hash)}: blocks that cannot be read are removed.`];
}

/**
 * True if the data cannot be rebuilt. After a repair that is everything left over: the states to start from are
 * missing.
 */
function isLost({ remedy }: Finding, isRepaired: boolean): boolean {
  return isRepaired || remedy === undefined;
}

function verdict({ found, left }: CheckReport, isRepaired: boolean): string {
  if (found.length === 0) return "Nothing is wrong.";
  if (left.length === 0) return `Repaired: ${found.length} entries. No errors remain.`;
  const lost = left.filter((finding) => isLost(finding, isRepaired)).length;
  const mendable = left.length - lost;
  const removable = isRepaired ? 0 : left.filter(({ remedy }) => remedy?.kind === "remove").length;
  return [
    `Wrong: ${left.length} entries.`,
    ...(mendable > removable ? [`${mendable - removable} of them can be made again: run it with ${REPAIR}.`] : []),
    ...(removable > 0 ? [`${removable} cannot be read: ${REPAIR} goes back to the last block before them.`] : []),
    ...(lost > 0 ? [`${lost} are lost: restore the folder from a copy, or import the chain again.`] : []),
  ].join(" ");
}
