/** Reads environment variables: `HINDCAST_` and the flag's name in capitals. Pure. */
import { nearestName } from "../../primitives/validation/nearest-name.ts";
import { FLAGS, type GivenValues, NAMES, type Name } from "../flags/flags.ts";
import { expected, readText } from "../flags/option-values.ts";

/** The variables of a process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = "HINDCAST_";

/**
 * Variables with this prefix that are not options: those that Kubernetes and links of containers set beside a service
 * whose name begins with `hindcast`, and those of this project's tests.
 */
const NOT_OPTIONS =
  /^HINDCAST_((.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\d+_(TCP|UDP|SCTP)(_.+)?)|NAME|ENV_.+|URL|CONFORMANCE|SEED|FUZZ_REQUESTS|BENCH_BLOCKS|TRACER_ENGINE)$/;

/** The value of the variable `HINDCAST_PORT` that Kubernetes and links of containers set for a service named `hindcast`. */
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\/\S+$/i;

/**
 * Values in the environment; empty variables and the address of a service are ignored.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` naming the variable
 */
export function readEnvironment(env: Environment): GivenValues {
  const values: Partial<Record<Name, unknown>> = {};
  // Anvil's own variable.
  if (env.ANVIL_IP_ADDR) values.host = env.ANVIL_IP_ADDR;
  for (const name of NAMES) {
    const variable = variableOf(name);
    const text = env[variable];
    if (text === undefined || text === "" || isServicePort(variable, text)) continue;
    values[name] = readVariable(name, text, variable);
  }
  return values as GivenValues;
}

/** The warning about variables that have no effect: a misspelled option would be overlooked otherwise. */
export function environmentWarnings(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([variable, text = ""]) => {
    if (!variable.startsWith(PREFIX) || NOT_OPTIONS.test(variable)) return [];
    if (isServicePort(variable, text)) {
      const isPort = variable === variableOf("port");
      return isPort ? [`${variable}=${text} is the address of a service, not a port, and has no effect.`] : [];
    }
    return NAMES.some((name) => variableOf(name) === variable) ? [] : [unknownVariable(variable)];
  });
}

function isServicePort(variable: string, text: string): boolean {
  return variable.endsWith("_PORT") && SERVICE_ADDRESS.test(text);
}

function unknownVariable(variable: string): string {
  const spellings = new Map(
    NAMES.flatMap((name) => [name, ...(FLAGS[name].aliases ?? [])].map((known) => [lettersOf(known), name] as const)),
  );
  const near = spellings.get(nearestName(lettersOf(variable.slice(PREFIX.length)), spellings.keys()) ?? "");
  const fix =
    near === undefined ? "Variables are HINDCAST_ and a long flag in capitals." : `Did you mean ${variableOf(near)}?`;
  return `${variable} is not an option and has no effect. ${fix}`;
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
