/** What shells complete, asked of a shell. */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../src/cli/command.ts";
import { runCompletionCommand } from "../../src/cli/completion-command.ts";
import { longFlag, NAMES } from "../../src/cli/flags/flags.ts";
import { COMMAND_NAMES } from "../../src/cli/options/commands.ts";
import { aFolder } from "../support/a-folder.ts";

/** What bash offers for the last of some words. */
function offers(...words: string[]): string[] {
  const script = `${runCompletionCommand(["bash"])}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _hindcast
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
}

it.skipIf(process.platform === "win32")("bash completes flags, their names and files", () => {
  expect(offers("hindcast", "--fork-u")).toEqual(["--fork-url"]);
  expect(offers("hindcast", "--")).toEqual(NAMES.map(longFlag));
  expect(offers("hindcast", "--hardfork", "osa")).toEqual(["osaka"]);
  expect(offers("hindcast", "--predeploy", "")).toEqual(["multicall3", "create2", "entrypoint", "permit2"]);
  expect(offers("hindcast", "--order", "")).toEqual(["fees", "fifo"]);
  expect(offers("hindcast", "--genesis", `${import.meta.dirname}/complet`)).toEqual([import.meta.filename]);
});

it.skipIf(process.platform === "win32")(
  "bash completes commands in the first place, and each of them is one",
  async () => {
    expect(offers("hindcast", "")).toEqual([...COMMAND_NAMES]);
    expect(offers("hindcast", "hard")).toEqual(["hardfork-report"]);
    expect(offers("hindcast", "--quiet", "ca")).toEqual([]);
    for (const command of COMMAND_NAMES) {
      let told = "";
      const stderr = { write: (text: string) => (told += text) };
      const context = { stdout: { write: () => true }, stderr, env: {}, cwd: ".", stop: AbortSignal.abort() };
      // Each is called with an argument that none takes.
      await runCommand([command, "--nope"], context as never);
      expect(told).not.toContain("is neither a command");
    }
  },
);

it.skipIf(process.platform === "win32")("bash runs nothing of what is typed, or of the names of files", async () => {
  const folder = await aFolder();
  const ran = join(folder, "ran");
  for (const name of ["$(touch ran)", "`touch ran`", ";touch ran", "--fork-url"]) writeFileSync(join(folder, name), "");
  for (const word of ["`", ";", "-", "$(touch ran)", "`touch ran`", "; touch ran"]) {
    offers("hindcast", "--genesis", `${folder}/${word}`);
    offers("hindcast", word);
    offers("hindcast", "--hardfork", word);
  }
  expect([existsSync(ran), existsSync("ran")]).toEqual([false, false]);
});

it("zsh runs the same, and fish has a line for each flag and one for the commands", () => {
  expect(runCompletionCommand(["zsh"])).toContain(runCompletionCommand(["bash"]));
  const lines = runCompletionCommand(["fish"]).trimEnd().split("\n");
  expect(lines).toHaveLength(NAMES.length + 1);
  expect(lines).toContainEqual(expect.stringMatching(/^complete -c hindcast -l order -x -a 'fees fifo' -d '.+'$/));
});

it("another shell is refused with those that there are", () => {
  expect(() => runCompletionCommand(["tcsh"])).toThrow("bash, zsh, fish");
  expect(() => runCompletionCommand([])).toThrow("bash, zsh, fish");
});
