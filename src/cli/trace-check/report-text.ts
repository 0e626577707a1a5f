/** The result of a check as text. */
import { compare, type SeenPoint, type TraceCheck } from "./check-traces.ts";
import { COLUMNS, type Column, wordsOf } from "./points.ts";

/** The text that the command prints, and whether the node differs from the client. */
export function checkText(check: TraceCheck, column: Column, label: string): { text: string; differs: boolean } {
  const { differing, unseen } = compare(check, column);
  const asked = check.points.length - unseen.length;
  const agreeing = COLUMNS.map((name) => `${name} ${asked - compare(check, name).differing.length}`).join(", ");
  const lines = [
    `${label}: ${check.client}, head ${check.head}`,
    "",
    `Points on which clients differ (docs/trace-formats.md, section 8): ${asked} seen. As they are in: ${agreeing}.`,
    ...differing.map(
      ({ point, seen }) => `  ${plain(point.about)}: ${plain(seen)}, in ${column} ${plain(wordsOf(point, column))}`,
    ),
    ...unseenLines(unseen),
    "",
    ...crossCheckLines(check),
  ];
  const { crossChecks } = check;
  const agrees = typeof crossChecks !== "string" && crossChecks.disagreements.length === 0;
  const failed = unseen.some(({ problem, missing }) => (problem ?? missing) !== undefined);
  return { text: `${lines.join("\n")}\n`, differs: differing.length > 0 || failed || !agrees };
}

function unseenLines(unseen: readonly SeenPoint[]): string[] {
  const failed = unseen.filter(({ problem }) => problem !== undefined);
  const missing = [...new Set(unseen.flatMap(({ missing: method }) => method ?? []))];
  const lacking = missing.map((method) => `  ${method}: the node does not have it, and ${pointsOf(unseen, method)} it`);
  const others = unseen.filter(({ problem, missing: method }) => (problem ?? method) === undefined);
  const names = others.map(({ point }) => plain(point.about)).join("; ");
  return [
    ...failed.map(({ point, problem }) => `  ${plain(point.about)}: the node answers ${problem}`),
    ...lacking,
    ...(names === "" ? [] : [`Not seen, for lack of ether, blocks or a transaction: ${names}.`]),
  ];
}

function pointsOf(unseen: readonly SeenPoint[], method: string): string {
  const count = unseen.filter(({ missing }) => missing === method).length;
  return count === 1 ? "1 point needs" : `${count} points need`;
}

function crossCheckLines({ crossChecks }: TraceCheck): string[] {
  if (typeof crossChecks === "string")
    return [`The last blocks could not be compared: the node answers ${crossChecks}`];
  const { blocks, transactions, entries, disagreements } = crossChecks;
  const compared = `${blocks} blocks, ${transactions} transactions, ${entries} entries`;
  if (disagreements.length === 0) return [`The methods agree with each other on the last blocks (${compared}).`];
  return [
    `The methods disagree on the last blocks (${compared}). These do not hold:`,
    ...disagreements.map(({ rule, where }) => `  ${rule}: ${where}`),
  ];
}

/** Without the marks of the page. */
function plain(text: string | undefined): string {
  return (text ?? "").replaceAll("`", "");
}
