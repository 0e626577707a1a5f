/** Environment variables to values: `HINDCAST_` and the flag's name in capitals. Pure. */
import { FLAGS, type GivenValues, NAMES, type Name } from "../flags/flags.ts";
import { expected, usageError } from "../flags/option-values.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = "HINDCAST_";

/**
 * What the environment says; empty variables say nothing. Names that mean no option are left alone: programs that use a
 * node call their variables after it, too, and Kubernetes does.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` naming the variable, also one that is nearly an option's
 */
export function readEnvironment(env: Environment): GivenValues {
  const values: Partial<Record<Name, unknown>> = {};
  // Anvil's own variable, for those who come with it.
  if (env.ANVIL_IP_ADDR) values.host = env.ANVIL_IP_ADDR;
  for (const name of NAMES) {
    const variable = variableOf(name);
    const text = env[variable];
    if (text === undefined || text === "") continue;
    values[name] = readVariable(name, text, variable);
  }
  for (const variable of Object.keys(env)) refuseNearMiss(variable);
  return values as GivenValues;
}

/** What somebody took for an option's name would be passed over: its flag's other spellings. */
function refuseNearMiss(variable: string): void {
  if (!variable.startsWith(PREFIX) || NAMES.some((name) => variableOf(name) === variable)) return;
  const letters = lettersOf(variable.slice(PREFIX.length));
  const meant = NAMES.find((name) =>
    [name, ...(FLAGS[name].aliases ?? [])].some((known) => lettersOf(known) === letters),
  );
  if (meant !== undefined) throw usageError(`${variable} is no option.`, `Did you mean ${variableOf(meant)}?`);
}

/** A name as it sounds: `DATADIR` is `data-dir`. */
function lettersOf(name: string): string {
  return name.replace(/[^a-z0-9]/gi, "").toLowerCase();
}

/** The variable of an option: `HINDCAST_CHAIN_ID` for `chainId`. */
export function variableOf(name: Name): string {
  return `${PREFIX}${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

function readVariable(name: Name, text: string, variable: string): unknown {
  const { flags, read } = FLAGS[name];
  const isSwitch = read === undefined;
  if (isSwitch || flags.endsWith("]")) {
    if (/^(?:1|true|yes|on)$/i.test(text)) return true;
    if (/^(?:0|false|no|off)$/i.test(text)) return false;
  }
  if (isSwitch) throw expected(variable, "1 or 0", text);
  return read(text, variable);
}
