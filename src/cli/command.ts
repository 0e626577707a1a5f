/** The `hindcast` command, apart from its process: takes arguments, returns an exit code. */
import { resolve } from "node:path";
import { HindcastError } from "../errors/hindcast-error.ts";
import { VERSION } from "../node/version.ts";
import type { GivenValues } from "./flags/flags.ts";
import { usageError } from "./flags/option-values.ts";
import { parseCommandLine } from "./options/command-line.ts";
import { withoutHelp } from "./options/commands.ts";
import { type Environment, environmentWarnings, readEnvironment } from "./options/environment.ts";
import { type CliSettings, toSettings } from "./options/settings.ts";
import type { RunContext } from "./run.ts";

const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Environment, working folder and streams of the command. */
export interface CommandContext extends RunContext {
  readonly env: Environment;
  /** Working folder. */
  readonly cwd: string;
}

/**
 * Runs the command to its end.
 *
 * @param given - arguments after the program's name
 * @returns the exit code. 0: ended as asked; 1: something failed; 2: wrong flags, environment or configuration
 */
export async function runCommand(given: readonly string[], context: CommandContext): Promise<number> {
  const argv = withoutHelp(given);
  try {
    if (argv[0] === "cache") {
      const { runCacheCommand } = await import("./cache-command.ts");
      context.stdout.write(runCacheCommand(argv.slice(1), context.env));
      return EXIT_OK;
    }
    if (argv[0] === "completion") {
      const { runCompletionCommand } = await import("./completion-command.ts");
      context.stdout.write(runCompletionCommand(argv.slice(1)));
      return EXIT_OK;
    }
    if (argv[0] === "hardfork-report") {
      const { runHardforkReport } = await import("./hardfork-report-command.ts");
      const { text, isAffected } = await runHardforkReport(argv.slice(1));
      context.stdout.write(text);
      return isAffected ? EXIT_FAILED : EXIT_OK;
    }
    if (argv[0] === "trace-check") {
      const { runTraceCheck } = await import("./trace-check-command.ts");
      const { text, differs } = await runTraceCheck(argv.slice(1));
      context.stdout.write(text);
      return differs ? EXIT_FAILED : EXIT_OK;
    }
    if (argv[0] === "check") return await runCheck(argv.slice(1), context);
    if (argv[0] === "debug") {
      const { runDebugCommand } = await import("./debug/debug-command.ts");
      return await runDebugCommand(argv.slice(1), context);
    }
    if (argv[0] === "jobs") return await runJobsCommand(argv.slice(1), context);
    if (given[0] === "help" && given[1] === "limits") {
      const { limitsHelp } = await import("./output/limits-help.ts");
      context.stdout.write(limitsHelp());
      return EXIT_OK;
    }
    const line = parseCommandLine(argv, VERSION);
    if (line.kind === "print") context.stdout.write(line.text);
    else {
      warn(line.warnings, context);
      const { runNode } = await import("./run.ts");
      await runNode(await settingsOf(line.values, context), context, VERSION);
    }
    return EXIT_OK;
  } catch (error) {
    context.stderr.write(`hindcast: ${complaint(error)}\n`);
    return error instanceof HindcastError && error.code === "INVALID_OPTION" ? EXIT_USAGE : EXIT_FAILED;
  }
}

function warn(warnings: readonly string[], { stderr }: CommandContext): void {
  for (const warning of warnings) stderr.write(`hindcast: warning: ${warning}\n`);
}

async function settingsOf(values: GivenValues, context: CommandContext): Promise<CliSettings> {
  const { env, cwd } = context;
  warn(environmentWarnings(env), context);
  const environment = readEnvironment(env);
  const file = await readConfig({ ...environment, ...values }.config, cwd);
  return toSettings(values, environment, file);
}

/** `hindcast check`: takes the flags of a node, as the chain of a folder follows from them. */
async function runCheck(argv: readonly string[], context: CommandContext): Promise<number> {
  const { checkCommandLine, runCheckCommand } = await import("./check-command.ts");
  const line = checkCommandLine(argv, VERSION);
  if (line.kind === "print") {
    context.stdout.write(line.text);
    return EXIT_OK;
  }
  const { text, isSound } = await runCheckCommand(await settingsOf(line.values, context), line.isRepaired);
  context.stdout.write(text);
  return isSound ? EXIT_OK : EXIT_FAILED;
}

async function runJobsCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const { jobsCommandLine } = await import("./jobs/jobs-command.ts");
  const line = jobsCommandLine(argv);
  if (line.kind === "print") context.stdout.write(line.text);
  else {
    const { runJobs } = await import("./jobs/run-jobs.ts");
    await runJobs(line.action, await settingsOf(line.values, context), context);
  }
  return EXIT_OK;
}

async function readConfig(named: string | undefined, cwd: string): Promise<GivenValues> {
  const { findConfigFile, readConfigFile } = await import("./options/config-file.ts");
  const path = named === undefined ? findConfigFile(cwd) : resolve(cwd, named);
  if (path === undefined) return {};
  try {
    return await readConfigFile(path);
  } catch (error) {
    // An unreadable configuration is reported like a wrong flag.
    if (error instanceof HindcastError) throw usageError(error.what, error.fix, error);
    throw error;
  }
}

/** One line for errors that the user can fix; the stack too for internal ones. */
function complaint(error: unknown): string {
  const isOurs = error instanceof HindcastError && error.code !== "INTERNAL_ERROR";
  if (isOurs) return error.message.replace(/\s*\n\s*/g, " ");
  return (error instanceof Error ? error.stack : undefined) ?? String(error);
}
