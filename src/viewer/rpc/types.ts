/** Answers of the node as the page uses them, by the types of the methods (`rpc/wire-types.generated.ts`). */
import type * as Wire from "../../rpc/wire-types.generated.ts";

/** A value that nobody changes, with all that is in it. */
type Fixed<Value> = Value extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : Value extends object
    ? { readonly [Member in keyof Value]: Fixed<Value[Member]> }
    : Value;

/** Hexadecimal digits after `0x`. */
export type Hex = Wire.Hex;

/** A block of `hindcast_getBlocks`. */
export type ListedBlock = Fixed<Wire.ListedBlock>;

/** A transaction of `eth_getTransactionByHash`. */
export type Transaction = Fixed<Wire.Transaction>;

/** A block of `eth_getBlockByNumber` with whole transactions. Only at other addresses of the node may a number be null. */
export type Block = Omit<Fixed<Wire.Block>, "number" | "hash" | "transactions"> & {
  readonly number: Hex;
  readonly hash: Hex;
  readonly transactions: readonly Transaction[];
};

/** A receipt of `eth_getTransactionReceipt`. */
export type Receipt = Fixed<Wire.Receipt>;

/** The answer of `hindcast_getCalls`. */
export type CallPart = Omit<Fixed<Wire.CallPart>, "calls"> & { readonly calls: readonly Call[] };

/** A call of a transaction. `steps` is the first step and the one after the last. */
export type Call = Omit<Fixed<Wire.CallPart["calls"][number]>, "steps"> & { readonly steps: readonly [number, number] };

/** A log of a call; `position` counts the calls that the same frame had made before. */
export type Log = Call["logs"][number];

/** A log of `eth_getLogs`. */
export type MinedLog = Fixed<Wire.Log>;

/** A write to storage; `variables` are values as text. */
export type StorageChange = CallPart["storage"][number];

/** A step of `hindcast_getSteps`. */
export type ListedStep = Fixed<Wire.StepPart["steps"][number]>;

/** The answer of `hindcast_getStep`. */
export type Step = Fixed<Wire.Step>;

/** The answer of `hindcast_explainTransaction`. */
export type Explanation = Fixed<Wire.Explanation>;

/** The answer of `hindcast_gasProfile`. Gas is a JSON number. */
export type GasProfile = Fixed<
  Pick<Wire.GasProfile, "gasUsed" | "gasRefund" | "stateGasUsed" | "functions" | "lines"> & {
    speedscope: {
      shared: Pick<Wire.GasProfile["speedscope"]["shared"], "frames">;
      profiles: Pick<Wire.GasProfile["speedscope"]["profiles"][number], "samples" | "weights">[];
    };
  }
>;

/** The answer of `hindcast_stateChanges`. Amounts are decimal, negative for what an account gave. */
export type StateChanges = Fixed<Wire.StateChanges>;

/** The answer of `hindcast_replay`. */
export type HistoryComparison = Fixed<Wire.HistoryComparison>;

/** The answer of `hindcast_nodeInfo`. */
export type NodeInfo = Fixed<Wire.HindcastNodeInfo>;

/** The answer of `hardhat_metadata`. */
export type NodeMetadata = Fixed<Wire.Metadata>;

/** The answer of `hindcast_status`. */
export type SharingStatus = Fixed<Wire.SharingStatus>;

/** The answer of `eth_capabilities`. */
export type NodeCapabilities = Fixed<Wire.Capabilities>;

/** A parameter of a function, event or error. */
export type AbiParameter = Fixed<Wire.AbiParameter>;

/** A function of a contract. */
export type AbiFunction = Contract["functions"][number];

/** An event of a contract; an indexed parameter is a topic. */
export type AbiEvent = Contract["events"][number];

/** The answer of `hindcast_getContract`. */
export type Contract = Fixed<Wire.Contract>;

/** The answer of `hindcast_getStorage`. */
export type AccountStorage = Fixed<Wire.AccountStorage>;

/** The answer of `hindcast_getSources`. */
export type AccountSources = Fixed<Wire.AccountSources>;
