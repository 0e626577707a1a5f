/** Environment variables to values: `HINDCAST_` and the flag's name in capitals. Pure. */
import { FLAGS, type GivenValues, NAMES, type Name } from "./flags.ts";
import { expected } from "./option-values.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the environment says; empty variables say nothing.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` naming the variable
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
  return values as GivenValues;
}

/** The variable of an option: `HINDCAST_CHAIN_ID` for `chainId`. */
export function variableOf(name: Name): string {
  return `HINDCAST_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
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
