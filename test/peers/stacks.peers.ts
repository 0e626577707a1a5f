/** The lines of our failures in stack traces of Hardhat 3's own node and of ours; the table in `docs/stack-traces.md`. */
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { markedLine } from "../explain/stack/corpus.ts";
import { type Failure, OLD_FAILURES, VAULT_FAILURES } from "../explain/stack/failures.ts";
import { installPeers } from "../support/peers.mjs";
import { canRunHardhat3, HARDHAT_3 } from "./hardhat.ts";
import { compareStacks, type StackBuild } from "./stack-comparison.ts";
import { type ComparedFailure, scoresOf, scoreTable } from "./stack-table.ts";

const VERSIONS = { Vault: ["0.8.30", "0.8.10"], Old: ["0.7.6", "0.6.12", "0.4.26"] };
const MODES = { Vault: ["plain", "optimized", "viaIR"], Old: ["plain", "optimized"] } as const;
const FAILURES: Readonly<Record<StackBuild["contract"], readonly Failure[]>> = {
  Vault: VAULT_FAILURES,
  Old: OLD_FAILURES,
};
const COMPILERS = Object.values(VERSIONS)
  .flat()
  .map((version) => `solc-${version}@npm:solc@${version}`);

const HEAD = `# Lines of failures beside Hardhat 3

How often the innermost frame of a stack trace names the line that failed: Hindcast, and Hardhat
3.18's own node in process (\`error.stack\`). Hardhat compiles the contracts of
\`fixtures/solidity-stacks\`, in which the expected lines are marked; both nodes run the same code and
the same transactions. Each column counts the compilers. \`optimized\` has 200 runs, \`viaIR\` too.
Lines of Hindcast that are wrong are missing, or marked as approximate. Hardhat 3 shows no Solidity
stack for solc 0.4.

\`npm run test:peers -- stacks\` measures it again, and fails where this file is not what it measured;
\`-u\` writes it.
`;

describe.skipIf(!canRunHardhat3)("stack traces beside those of Hardhat 3's own node", () => {
  let project: Awaited<ReturnType<typeof installPeers>>;
  beforeAll(async () => {
    project = await installPeers([...HARDHAT_3, ...COMPILERS]);
    const source = fileURLToPath(new URL("../../fixtures/projects/stacks", import.meta.url));
    await cp(source, project.folder, { recursive: true });
    await writeFile(join(project.folder, "package.json"), '{ "private": true, "type": "module" }');
  });
  afterAll(() => project?.remove());

  /** Each failure of a contract with each compiler, in one kind of build. */
  async function compare(contract: StackBuild["contract"], mode: StackBuild["mode"]): Promise<ComparedFailure[]> {
    const compared: ComparedFailure[] = [];
    for (const version of VERSIONS[contract]) {
      const lines = await compareStacks(project.folder, { contract, version, mode }, FAILURES[contract]);
      for (const [index, { title, line }] of FAILURES[contract].entries()) {
        const marked = markedLine(line, contract);
        const { ours, isApproximate, theirs } = lines[index] ?? { isApproximate: false };
        // A line of ours that is wrong is missing, or marked as approximate.
        if (ours !== marked && ours !== undefined) expect([title, mode, version, isApproximate]).toContain(true);
        compared.push({ title, mode, isOursRight: ours === marked, isTheirsRight: theirs === marked });
      }
    }
    return compared;
  }

  it("name the line of each kind of failure at least as often", async () => {
    const tables: string[] = [];
    for (const contract of ["Vault", "Old"] as const) {
      const compared: ComparedFailure[] = [];
      for (const mode of MODES[contract]) compared.push(...(await compare(contract, mode)));
      const scores = scoresOf(compared);
      expect(scores.filter(({ ours, theirs }) => ours < theirs)).toEqual([]);
      tables.push(`## solc ${VERSIONS[contract].join(", ")}\n\n${scoreTable(scores)}`);
    }
    await expect([HEAD, ...tables].join("\n")).toMatchFileSnapshot("../../docs/stack-traces.md");
  });
});
