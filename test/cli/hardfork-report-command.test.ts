/** hindcast hardfork-report: the report on a folder of artifacts as text. */
import { expect, it } from "vitest";
// Loaded before the tests, whose time it would count towards: the command loads it when it runs.
import "../../src/node/create-node.ts";
import { runHardforkReport } from "../../src/cli/hardfork-report-command.ts";
import { aProject } from "../services/simulate/compare/a-project.ts";

it("prints deployments and hard-coded gas, what breaks first", async () => {
  const folder = await aProject({
    Large: { codeSize: 40_960 },
    Small: { codeSize: 100, constructorInputs: [{ name: "owner", type: "address" }] },
  });
  const { text, isAffected } = await runHardforkReport([folder]);
  expect(isAffected).toBe(true);
  expect(text).toMatch(
    /^Deployments, in gas on osaka and on amsterdam:\n {2}Large \(40,960 bytes\): failed \(max code size exceeded\) → 62,891,204 \(62,852,400 for state\)\n/,
  );
  expect(text).toContain(
    "    It needs 62,852,400 gas of a block, which has 60,000,000.\n  Small (100 bytes): at least",
  );
  expect(text).toContain(
    "\n  (at least: its constructor needs arguments or fails, so what that does is not counted)\n",
  );
  expect(text).toContain("src/Payments.sol:28:23: 30,000 gas: (bool ok, ) = to.call{value: 1, gas: 30_000}");
  expect(text).toContain("    no longer enough to write a new slot: 22,106 → 110,026\n");
  expect(text).toContain("\nOther hard-coded gas:\n  src/Payments.sol:20:9: 2,300 gas: to.transfer(1);");
});

it("says that nothing breaks where nothing does", async () => {
  const folder = await aProject({ Small: { codeSize: 100 } }, { withBuild: false });
  const { text, isAffected } = await runHardforkReport([folder, "--from", "london", "--to", "Osaka"]);
  expect(isAffected).toBe(false);
  expect(text).not.toContain("at least");
  expect(text).toContain("Deployments, in gas on london and on osaka:\n  Small (100 bytes): 7");
});

it.each([
  [[], "missing required argument 'folder'"],
  [["out", "more"], "too many arguments. Expected 1 argument but got 2. Run"],
  [["out", "--from", "osaka", "--to", "Osaka"], "--from and --to are both osaka. Name two hardforks"],
  [["out", "--to", "amsterdamned"], '--to: Unknown hardfork "amsterdamned".'],
  [["out", "--block-gas-limit", "many"], "--block-gas-limit: expected a whole number"],
  [["/nowhere/at/all"], "Cannot read the artifacts: /nowhere/at/all."],
])("refuses %o", async (argv, message) => {
  await expect(runHardforkReport(argv)).rejects.toThrow(message);
});
