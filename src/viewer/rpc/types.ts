/** Types of the node's responses, with the members that the page uses. */

export type Hex = `0x${string}`;

export interface ListedBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly isCanonical: boolean;
  readonly timestamp: Hex;
  readonly miner: Hex;
  readonly gasUsed: Hex;
  readonly gasLimit: Hex;
  readonly baseFeePerGas: Hex | null;
  readonly transactionCount: number;
  readonly uncles: readonly Hex[];
}

export interface Transaction {
  readonly hash: Hex;
  readonly blockHash: Hex | null;
  readonly blockNumber: Hex | null;
  readonly transactionIndex: Hex | null;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly value: Hex;
  readonly gas: Hex;
  readonly gasPrice?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly maxPriorityFeePerGas?: Hex;
  readonly input: Hex;
  readonly nonce: Hex;
  readonly type: Hex;
  readonly [member: string]: unknown;
}

export interface Block {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
  readonly miner: Hex;
  readonly gasUsed: Hex;
  readonly gasLimit: Hex;
  readonly baseFeePerGas?: Hex;
  readonly blobGasUsed?: Hex;
  readonly extraData: Hex;
  readonly uncles: readonly Hex[];
  readonly transactions: readonly Transaction[];
  readonly withdrawals?: readonly Readonly<Record<"index" | "validatorIndex" | "address" | "amount", Hex>>[];
  readonly [member: string]: unknown;
}

export interface Receipt {
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly status?: Hex;
  readonly gasUsed: Hex;
  readonly cumulativeGasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly contractAddress: Hex | null;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly [member: string]: unknown;
}

export interface Log {
  readonly address: Hex;
  readonly text: string | null;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Number of calls that the same frame had made before. */
  readonly position: number;
}

export interface Call {
  readonly index: number;
  readonly parent: number;
  readonly depth: number;
  readonly kind: string;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly account: Hex | null;
  readonly value: Hex;
  readonly gas: Hex;
  readonly gasUsed: Hex;
  readonly contract: string;
  readonly function: string | null;
  readonly arguments: string;
  readonly result: string;
  readonly failure: string | null;
  readonly printed: string | null;
  readonly input: Hex;
  readonly inputLength: number;
  readonly output: Hex;
  readonly outputLength: number;
  readonly isPrecompile: boolean;
  readonly steps: readonly [number, number] | null;
  readonly selfDestruct: { readonly beneficiary: Hex; readonly balance: Hex } | null;
  readonly logs: readonly Log[];
}

export interface StorageChange {
  readonly call: number;
  readonly step: number;
  readonly account: Hex;
  readonly slot: Hex;
  readonly before: Hex;
  readonly after: Hex;
  readonly isUndone: boolean;
  /** Values as text. */
  readonly variables: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

export interface CallPart {
  readonly callCount: number;
  readonly stepCount: number | null;
  readonly calls: readonly Call[];
  readonly storage: readonly StorageChange[] | null;
}

export interface ListedStep {
  readonly step: number;
  readonly call: number;
  readonly depth: number;
  readonly pc: number;
  readonly op: string;
  readonly gas: Hex;
  readonly gasCost: Hex;
  readonly isBroken: boolean;
  readonly file: string | null;
  readonly line: number | null;
}

export interface Step extends ListedStep {
  readonly stepCount: number;
  readonly account: Hex | null;
  readonly codeAddress: Hex | null;
  readonly refund: Hex;
  readonly stack: readonly Hex[];
  readonly memory: Hex;
  readonly memoryLength: number;
  readonly returnData: Hex;
  readonly storage: readonly { readonly slot: Hex; readonly value: Hex }[];
  readonly source: readonly { readonly line: number; readonly text: string }[];
}

export interface Explanation {
  readonly failed: boolean;
  readonly reason: { readonly kind: string; readonly text: string } | null;
  readonly frames: readonly {
    readonly contract: string | null;
    readonly function: string | null;
    readonly file: string | null;
    readonly line: number | null;
    readonly source: string | null;
    readonly isApproximate: boolean;
    readonly address: Hex | null;
  }[];
  readonly notes: readonly string[];
}

/** Gas in a profile is a JSON number. */
export interface GasProfile {
  readonly gasUsed: number;
  readonly gasRefund: number;
  readonly functions: readonly {
    readonly name: string;
    readonly file: string | null;
    readonly line: number | null;
    readonly calls: number;
    readonly self: number;
    readonly total: number;
  }[];
  readonly lines: readonly {
    readonly file: string | null;
    readonly line: number | null;
    readonly gas: number;
    readonly count: number;
  }[];
  readonly speedscope: {
    readonly shared: { readonly frames: readonly { readonly name: string }[] };
    readonly profiles: readonly {
      readonly samples: readonly (readonly number[])[];
      readonly weights: readonly number[];
    }[];
  };
}

/** Changes of variables and of what accounts have. */
export interface StateChanges {
  readonly storage: readonly {
    readonly account: Hex;
    readonly contract: string | null;
    readonly name: string | null;
    readonly unnamedBecause: string | null;
    readonly slot: Hex;
    readonly isTransient: boolean;
    readonly before: string;
    readonly after: string;
    readonly writes: readonly {
      readonly before: string;
      readonly after: string;
      readonly isUndone: boolean;
      readonly function: string | null;
      readonly file: string | null;
      readonly line: number | null;
    }[];
  }[];
  /** An amount is a decimal number, negative for what the account gave. */
  readonly assets: readonly {
    readonly kind: string;
    readonly token: Hex | null;
    readonly tokenId: Hex | null;
    readonly account: Hex;
    readonly amount: string;
  }[];
  readonly notes: readonly string[];
}

export interface AbiParameter {
  readonly name: string;
  readonly type: string;
  readonly components: readonly AbiParameter[];
}

export interface AbiFunction {
  readonly selector: Hex;
  readonly signature: string;
  readonly name: string;
  readonly isPayable: boolean;
  readonly isView: boolean;
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
}

export interface Contract {
  readonly name: string | null;
  readonly functions: readonly AbiFunction[];
}

export interface AccountStorage {
  readonly slots: readonly {
    readonly hash: Hex;
    readonly slot: Hex | null;
    readonly value: Hex;
    readonly variables: readonly { readonly name: string; readonly type: string | null; readonly value: string }[];
  }[];
  readonly next: Hex | null;
  readonly notes: readonly string[];
}

export interface AccountSources {
  readonly files: readonly { readonly path: string; readonly text: string }[];
}
