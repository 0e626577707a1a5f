/** The failures of `fixtures/solidity-stacks/`, and the stack traces that they have to show. */

/** A function of the fixture's contract that fails when it is called. */
export interface Failure {
  /** Name of the function. */
  readonly name: string;
  /** A description of the failure for readers. */
  readonly title: string;
  readonly args: readonly unknown[];
  /** Kind of the reason. */
  readonly kind: string;
  /** Functions from the outermost. */
  readonly functions: readonly string[];
  /** Name of the mark at the line that fails. */
  readonly line: string;
}

type Row = readonly [
  name: string,
  title: string,
  args: readonly unknown[],
  kind: string,
  functions?: readonly string[],
  line?: string,
];

function failures(rows: readonly Row[]): readonly Failure[] {
  return rows.map(([name, title, args, kind, functions = [name], line = name]) => ({
    ...{ name, title, args, kind, functions, line },
  }));
}

/** Of `Vault.sol`. */
export const VAULT_FAILURES: readonly Failure[] = failures([
  ["withReason", "`revert` with a text", [], "revert"],
  ["bare", "`revert()`", [], "revert"],
  ["asserts", "`assert`", [], "panic"],
  ["overflow", "overflow", [1n], "panic"],
  ["divide", "division by zero", [0n], "panic"],
  ["item", "index out of bounds", [3n], "panic"],
  ["popped", "`pop` of an empty array", [], "panic"],
  ["limited", "custom error in a modifier", [100n], "customError", ["limited", "below"], "modifier"],
  ["callsInherited", "inherited function", [], "revert", ["callsInherited", "inherited"], "inherited"],
  ["usesLibrary", "internal function of a library", [3n], "revert", ["usesLibrary", "half"], "half"],
  ["delegates", "public function of a library", [2n], "revert", ["delegates", "third"], "third"],
  ["callsNobody", "call of an address without code", [], "noCode"],
  ["callsSilent", "too short return data", [], "shortReturnData"],
  ["sendsTooMuch", "transfer of more than the balance", [], "callNotStarted"],
  ["callsItself", "external call that reverts", [], "revert", ["callsItself", "bare"], "bare"],
  ["catches", "`revert` in a `catch`", [], "revert"],
  ["inAssembly", "`revert` in assembly", [], "revert"],
  ["recursive", "recursion", [2n], "revert", ["recursive", "recursive", "recursive"], "bottom"],
  ["convertsEnum", "number that is not a member of an enum", [2n], "panic"],
  ["hugeMemory", "too large array in memory", [2n ** 64n], "panic"],
  ["zeroPointer", "function pointer that was not set", [], "panic"],
  ["negates", "negation of the lowest number", [-(2n ** 255n)], "panic"],
  ["creates", "constructor of a created contract", [1n], "revert", ["creates", "constructor"], "fragile"],
  ["paysRefuser", "`receive` that reverts", [], "revert", ["paysRefuser", "receive"], "refuser"],
  ["callsProxy", "behind a proxy", [1n], "revert", ["callsProxy", "fallback", "proxied"], "proxied"],
  ["writesInView", "write in a static call", [], "halt", ["writesInView", "proxied"], "writes"],
  ["slices", "slice out of bounds", ["0x01"], "revert"],
  ["decodes", "`abi.decode` of too little data", ["0x01"], "revert"],
  ["rethrows", "caught and reverted again", [], "revert", ["rethrows", "withReason"], "withReason"],
  ["afterwards", "modifier after the body", [], "revert", ["afterwards", "above"]],
  ["invalidOpcode", "invalid opcode in assembly", [], "invalidOpcode"],
  ["severalLines", "statement of several lines", [2n], "panic"],
  ["blocked", "modifier before a body that reverts", [], "revert", ["blocked", "stopped"]],
  ["failsInCatch", "external call in a `catch`", [], "revert", ["failsInCatch", "withReason"], "withReason"],
]);

/** Of `Old.sol`: compilers that have no panics. */
export const OLD_FAILURES: readonly Failure[] = failures([
  ["withReason", "`revert` with a text", [], "revert"],
  ["bare", "`revert()`", [], "revert"],
  ["asserts", "`assert`", [2n], "invalidOpcode"],
  ["divide", "division by zero", [0n], "invalidOpcode"],
  ["item", "index out of bounds", [3n], "invalidOpcode"],
  ["limited", "`require` in a modifier", [100n], "revert", ["limited", "below"]],
  ["callsInherited", "inherited function", [], "revert", ["callsInherited", "inherited"], "inherited"],
  ["usesLibrary", "internal function of a library", [3n], "revert", ["usesLibrary", "half"], "half"],
  ["callsNobody", "call of an address without code", [], "noCode"],
  ["sendsTooMuch", "transfer of more than the balance", [], "callNotStarted"],
  ["callsItself", "external call that reverts", [], "revert", ["callsItself", "bare"], "bare"],
  ["inAssembly", "`revert` in assembly", [], "revert"],
  ["recursive", "recursion", [1n], "revert", ["recursive", "recursive"], "bottom"],
  ["convertsEnum", "number that is not a member of an enum", [2n], "invalidOpcode"],
  ["creates", "constructor of a created contract", [1n], "revert", ["creates", "constructor"], "fragile"],
  ["callsOther", "call of a created contract", [1n], "revert", ["callsOther", "proxied"], "proxied"],
  ["afterwards", "modifier after the body", [], "revert", ["afterwards", "above"]],
  ["invalidOpcode", "invalid opcode in assembly", [], "invalidOpcode"],
]);
