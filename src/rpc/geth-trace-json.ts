/** The JSON that geth's tracers answer. It imports nothing, because the types of methods, which browsers use, refer to it. */

/** As in `wire-types.generated.ts`. */
type Hex = `0x${string}`;

/** A log of `callTracer`, with `withLog`. */
export interface CallLogJson {
  address: Hex;
  topics: Hex[];
  data: Hex;
  index: Hex;
  position: Hex;
}

/** Gas in two dimensions, before refunds, from Amsterdam on (execution-apis#852). */
export interface GasDimensionsJson<Amount> {
  executionGasUsed: Amount;
  stateGasUsed: Amount;
  gasRefund: Amount;
}

/** The result of `stateGasTracer`. Before Amsterdam all gas is for execution. */
export interface StateGasJson extends GasDimensionsJson<Hex> {
  gasUsed: Hex;
}

/** A call with the calls inside it. `error` and `output` are absent where geth leaves them out. */
export interface CallFrameJson extends Partial<GasDimensionsJson<Hex>> {
  type: string;
  from: Hex;
  gas: Hex;
  gasUsed: Hex;
  to?: Hex;
  input: Hex;
  output?: Hex;
  error?: string;
  revertReason?: string;
  calls?: CallFrameJson[];
  logs?: CallLogJson[];
  value?: Hex;
}

/** An item of the answer of `flatCallTracer`. */
export interface FlatCallJson {
  action: Record<string, string>;
  blockHash: Hex | null;
  blockNumber: number;
  error?: string;
  result?: Record<string, Hex>;
  subtraces: number;
  traceAddress: number[];
  transactionHash: Hex | null;
  transactionPosition: number;
  type: string;
}

/** A step. Gas, program counter and depth are JSON numbers, stack items QUANTITY, memory words DATA. */
export interface StructLogJson {
  pc: number;
  op: string;
  gas: number;
  gasCost: number;
  depth: number;
  error?: string;
  stack?: Hex[];
  memory?: Hex[];
  storage?: Record<Hex, Hex>;
  returnData?: Hex;
  refund?: number;
}

/** The result of geth's struct logger. */
export interface StructLoggerJson extends Partial<GasDimensionsJson<number>> {
  gas: number;
  failed: boolean;
  returnValue: Hex;
  structLogs: StructLogJson[];
}

/** An account of `prestateTracer`; absent members are empty or unchanged. */
export interface PrestateAccountJson {
  balance?: Hex;
  code?: Hex;
  codeHash?: Hex;
  nonce?: number;
  storage?: Record<Hex, Hex>;
}

/** Accounts by address. */
export type PrestateJson = Record<Hex, PrestateAccountJson>;

/** The result of any tracer. Of JavaScript ones it is whatever the script returns. */
export type GethTraceJson =
  | StructLoggerJson
  | CallFrameJson
  | FlatCallJson[]
  | PrestateJson
  | StateGasJson
  | { pre: PrestateJson; post: PrestateJson }
  | Record<string, unknown>;
