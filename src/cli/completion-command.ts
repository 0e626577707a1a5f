/** `hindcast completion`: prints a script for a shell that completes commands and flags. It uses the same table as the help. */
import { z } from "zod";
import { PREDEPLOY_NAMES } from "../chainspec/genesis/predeploys/predeploys.ts";
import { HARDFORKS } from "../chainspec/hardforks/hardforks.ts";
import { FLAGS, longFlag, NAMES, type Name } from "./flags/flags.ts";
import { usageError } from "./flags/option-values.ts";
import { COMMAND_NAMES } from "./options/commands.ts";

/** The completions of one flag. */
interface Offer {
  readonly flag: string;
  readonly help: string;
  /** Possible values; undefined if they cannot be listed. */
  readonly words: readonly string[] | undefined;
  readonly takesPath: boolean;
  readonly takesValue: boolean;
}

/** Values that a flag's shape does not list. */
const WORDS: Partial<Record<Name, readonly string[]>> = { hardfork: HARDFORKS.slice(1), predeploy: PREDEPLOY_NAMES };

const HELP = `Usage: hindcast completion <shell>

Prints a script that completes commands and flags in a shell: bash, zsh or fish.
For bash: source <(hindcast completion bash)
`;

const SHELLS: Readonly<Record<string, (offers: readonly Offer[]) => string>> = { bash, zsh, fish };

/**
 * Runs `hindcast completion`.
 *
 * @param argv - the name of the shell
 * @returns the script
 * @throws {InvalidParamsError} `INVALID_OPTION` if the shell is not supported or not given
 */
export function runCompletionCommand(argv: readonly string[]): string {
  const [shell = "", ...rest] = argv;
  if (shell === "--help" || shell === "-h") return HELP;
  const write = Object.hasOwn(SHELLS, shell) && rest.length === 0 ? SHELLS[shell] : undefined;
  if (write !== undefined) return write(NAMES.map(offerOf));
  const names = Object.keys(SHELLS).join(", ");
  throw usageError(`hindcast completion takes one of ${names}.`, "For bash: source <(hindcast completion bash)");
}

function offerOf(name: Name): Offer {
  const { flags, help, shape } = FLAGS[name];
  return {
    flag: longFlag(name),
    help,
    words: WORDS[name] ?? wordsOf(shape),
    takesPath: /[<[](file|folder|path)s?[>\]]/.test(flags) && name !== "derivationPath",
    takesValue: flags.includes("<"),
  };
}

function wordsOf(shape: (() => z.ZodType) | undefined): readonly string[] | undefined {
  const schema = shape?.();
  return schema instanceof z.ZodEnum ? schema.options.map(String) : undefined;
}

function bash(offers: readonly Offer[]): string {
  const cases = offers.flatMap(({ flag, words, takesPath }) => {
    if (words !== undefined)
      return [`    ${flag}) COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$word")); return ;;`];
    return takesPath ? [`    ${flag}) COMPREPLY=($(compgen -f -- "$word")); return ;;`] : [];
  });
  return [
    "_hindcast() {",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash fills it in.
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
    '  case "$before" in',
    ...cases,
    "  esac",
    `  if [ "$COMP_CWORD" = 1 ]; then case "$word" in -*) ;; *)`,
    `    COMPREPLY=($(compgen -W "${COMMAND_NAMES.join(" ")}" -- "$word")); [ "\${#COMPREPLY[@]}" -gt 0 ] && return ;;`,
    "  esac; fi",
    `  COMPREPLY=($(compgen -W "${offers.map(({ flag }) => flag).join(" ")}" -- "$word"))`,
    "}",
    "complete -F _hindcast hindcast",
    "",
  ].join("\n");
}

function zsh(offers: readonly Offer[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(offers)}`;
}

function fish(offers: readonly Offer[]): string {
  const lines = offers.map(({ flag, help, words, takesPath, takesValue }) => {
    const value =
      words === undefined ? (takesPath ? " -r -F" : takesValue ? " -x" : " -f") : ` -x -a ${quoted(words.join(" "))}`;
    return `complete -c hindcast -l ${flag.slice(2)}${value} -d ${quoted(help)}`;
  });
  const commands = `complete -c hindcast -n __fish_use_subcommand -f -a ${quoted(COMMAND_NAMES.join(" "))}`;
  return `${[...lines, commands].join("\n")}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
