/** Reads environment variables: `HINDCAST_` and the flag's name in capitals. Pure. */
import { nearestName } from "../../primitives/shapes/nearest-name.ts";
import { FLAGS, type GivenValues, NAMES, type Name } from "../flags/flags.ts";
import { expected, readText, usageError } from "../flags/option-values.ts";

/** The variables of a process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = "HINDCAST_";

/**
 * Variables with this prefix that are not options: those that Kubernetes sets beside a service, and those of this
 * project's tests.
 */
const NOT_OPTIONS =
  /^HINDCAST_((.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\d+_(TCP|UDP)(_.+)?)|URL|CONFORMANCE|SEED|FUZZ_REQUESTS|BENCH_BLOCKS|TRACER_ENGINE)$/;

/**
 * Values in the environment; empty variables are ignored.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` naming the variable, also for an unknown one
 */
export function readEnvironment(env: Environment): GivenValues {
  const values: Partial<Record<Name, unknown>> = {};
  // Anvil's own variable.
  if (env.ANVIL_IP_ADDR) values.host = env.ANVIL_IP_ADDR;
  for (const name of NAMES) {
    const variable = variableOf(name);
    const text = env[variable];
    if (text === undefined || text === "") continue;
    values[name] = readVariable(name, text, variable);
  }
  for (const variable of Object.keys(env)) refuseUnknown(variable);
  return values as GivenValues;
}

/** Refuses unknown variables, because a misspelled option would be ignored otherwise. */
function refuseUnknown(variable: string): void {
  if (!variable.startsWith(PREFIX) || NOT_OPTIONS.test(variable)) return;
  if (NAMES.some((name) => variableOf(name) === variable)) return;
  const spellings = new Map(
    NAMES.flatMap((name) => [name, ...(FLAGS[name].aliases ?? [])].map((known) => [lettersOf(known), name] as const)),
  );
  const near = spellings.get(nearestName(lettersOf(variable.slice(PREFIX.length)), spellings.keys()) ?? "");
  const fix =
    near === undefined ? "Variables are HINDCAST_ and a long flag in capitals." : `Did you mean ${variableOf(near)}?`;
  throw usageError(`${variable} is no option.`, fix);
}

/** A name without separators: `DATADIR` equals `data-dir`. */
function lettersOf(name: string): string {
  return name.replace(/[^a-z0-9]/gi, "").toLowerCase();
}

/** The variable of an option: `HINDCAST_CHAIN_ID` for `chainId`. */
export function variableOf(name: Name): string {
  return `${PREFIX}${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

function readVariable(name: Name, text: string, variable: string): unknown {
  const { flags, shape } = FLAGS[name];
  const isSwitch = shape === undefined;
  if (isSwitch || flags.endsWith("]")) {
    if (/^(?:1|true|yes|on)$/i.test(text)) return true;
    if (/^(?:0|false|no|off)$/i.test(text)) return false;
  }
  if (isSwitch) throw expected(variable, "1 or 0", text);
  return readText<unknown>(shape, text, variable);
}
