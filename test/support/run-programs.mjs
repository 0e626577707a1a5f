// Runs programs one after the other in this process, each in its own folder: `node run-programs.mjs PROGRAM...`. Prints, as
// JSON, what each of them printed, or why it failed. Ends only once nothing of theirs is left to do.
import { writeSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

const outcomes = [];
process.on("exit", () => writeSync(1, JSON.stringify(outcomes)));
for (const path of process.argv.slice(2)) {
  const outcome = { output: "" };
  outcomes.push(outcome);
  process.stdout.write = (text) => {
    outcome.output += text;
    return true;
  };
  process.chdir(dirname(path));
  try {
    await import(pathToFileURL(path).href);
  } catch (error) {
    outcome.error = String(error.stack);
  }
}
