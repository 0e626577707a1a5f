/**
 * The shapes of EthereumJS' interpreter that this room touches, named once.
 *
 * EthereumJS exports neither `RunState` nor `Interpreter`; its custom-opcode option does name them, so the types follow
 * the library instead of copying it.
 */
import type { EVMOpts } from "@ethereumjs/evm";

type CustomOpcode = NonNullable<EVMOpts["customOpcodes"]>[number];
type LogicFunction = Extract<CustomOpcode, { logicFunction: unknown }>["logicFunction"];

/** A running frame: stack, memory, gas, environment. */
export type RunState = Parameters<LogicFunction>[0];
export type Common = Parameters<LogicFunction>[1];

/** Executes one opcode on a frame. Throws an EVMError to end it. */
export type OpcodeHandler = (state: RunState, common: Common) => void | Promise<void>;

/** Total gas of one opcode, `fee` being its static part. */
export type GasHandler = (state: RunState, fee: bigint, common: Common) => bigint | Promise<bigint>;

/** An entry of EthereumJS' opcode table. */
export interface OpcodeMapEntry {
  readonly opcodeInfo: {
    readonly code: number;
    readonly fullName: string;
    readonly fee: number;
    readonly feeBigInt: bigint;
    readonly isAsync: boolean;
    readonly dynamicGas: boolean;
    readonly isInvalid: boolean;
  };
  readonly opHandler: OpcodeHandler;
  readonly gasHandler: GasHandler | undefined;
}
