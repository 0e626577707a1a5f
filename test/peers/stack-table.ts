/** The table of how often a stack trace names the line of a failure. */

/** A failure in one build. */
export interface ComparedFailure {
  readonly title: string;
  readonly mode: string;
  readonly isOursRight: boolean;
  readonly isTheirsRight: boolean;
}

/** Counts of right lines per tool, for a kind of failure in one kind of build. */
export interface Score {
  readonly title: string;
  readonly mode: string;
  readonly builds: number;
  readonly ours: number;
  readonly theirs: number;
}

/** A score for each kind of failure and of build. */
export function scoresOf(compared: readonly ComparedFailure[]): readonly Score[] {
  const keys = new Map(compared.map(({ title, mode }) => [`${title} ${mode}`, { title, mode }]));
  return [...keys.values()].map(({ title, mode }) => {
    const group = compared.filter((each) => each.title === title && each.mode === mode);
    const ours = group.filter(({ isOursRight }) => isOursRight).length;
    const theirs = group.filter(({ isTheirsRight }) => isTheirsRight).length;
    return { title, mode, builds: group.length, ours, theirs };
  });
}

/** A row for each kind of failure with two columns for each kind of build, ours first, and one for all of them. */
export function scoreTable(scores: readonly Score[]): string {
  const modes = [...new Set(scores.map(({ mode }) => mode))];
  const titles = [...new Set(scores.map(({ title }) => title))];
  const cells = (title?: string): readonly string[] =>
    modes.flatMap((mode) => {
      const own = scores.filter((score) => score.mode === mode && (title === undefined || score.title === title));
      const sum = (member: "builds" | "ours" | "theirs"): number => own.reduce((all, score) => all + score[member], 0);
      return [`${sum("ours")} of ${sum("builds")}`, `${sum("theirs")} of ${sum("builds")}`];
    });
  const head = ["Failure", ...modes.flatMap((mode) => [`${mode}: Hindcast`, "Hardhat 3"])];
  const rows = [head, head.map(() => "---"), ["all", ...cells()], ...titles.map((title) => [title, ...cells(title)])];
  return rows.map((row) => `| ${row.join(" | ")} |\n`).join("");
}
