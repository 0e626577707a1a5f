/**
 * Habits of development nodes, in one table: a row is a behaviour, a column a dialect. A dialect never changes state,
 * gas, roots, hashes, `trace_*`, the path form, or the content of a data folder.
 *
 * The rooms below do not know dialects. `node` reads each row in one place, and gives its value to the service that
 * behaves so.
 */

/** Names that the option `dialect` takes; the first is the default. */
export const DIALECTS = ["hindcast", "anvil", "hardhat", "ganache"] as const;

/** A development node whose habits are followed. */
export type Dialect = (typeof DIALECTS)[number];

type Row<Value> = Readonly<Record<Dialect, Value>>;

const BEHAVIOURS = {
  /**
   * Data of the error of an execution that halts: out of gas, INVALID, a stack that is too short. Hardhat's matchers
   * read it. Observed: Hardhat 3.18.0 and Ganache 7.9.2 send it; Anvil 1.7.1 and geth do not.
   */
  haltData: { hindcast: undefined, anvil: undefined, hardhat: "0x", ganache: "0x" },
  /** Treatment of a call whose sender has less than its value and fees. Observed as above: Hardhat lends it the rest. */
  callFees: { hindcast: "charged", anvil: "charged", hardhat: "lent", ganache: "charged" },
  /** The same for an estimate. Ganache lends the rest, too. */
  estimateFees: { hindcast: "charged", anvil: "charged", hardhat: "lent", ganache: "lent" },
  /**
   * True if a QUANTITY in a request may be a JSON number. Observed: all three take `eth_getBlockByNumber` with 0 and a
   * value of 99; geth does not.
   */
  takesNumbers: { hindcast: false, anvil: true, hardhat: true, ganache: true },
} as const satisfies Readonly<Record<string, Row<unknown>>>;

/** The behaviours of one dialect. */
export type DialectBehaviour = {
  readonly [Name in keyof typeof BEHAVIOURS]: (typeof BEHAVIOURS)[Name][Dialect];
};

/** The column of a dialect. */
export function behaviourOf(dialect: Dialect = "hindcast"): DialectBehaviour {
  const rows = Object.entries<Row<unknown>>(BEHAVIOURS);
  return Object.fromEntries(rows.map(([name, row]) => [name, row[dialect]])) as DialectBehaviour;
}
