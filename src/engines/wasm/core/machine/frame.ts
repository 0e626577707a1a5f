// The record of an open frame (yellow paper §9.3, execution environment): 256 bytes each, in order of depth.

export const FRAME_BYTES: usize = 256;
/** The outermost frame, 1,024 below it, and one for a call that is too deep. */
export const frames: usize = memory.data(262656, 16);

export const IP: usize = 0;
/** Offset after the top item of the stack. STACK is the offset of the frame's first item. */
export const SP: usize = 4;
export const GAS: usize = 8;
export const STACK: usize = 16;
/** Offset of its memory, and active size. */
export const MEMORY: usize = 20;
export const MEMORY_SIZE: usize = 24;
export const CODE: usize = 28;
/** Call data: offset in the memory segment, and bytes. */
export const INPUT: usize = 32;
export const INPUT_LENGTH: usize = 36;
/** Region of the caller's memory that receives the output. */
export const OUTPUT: usize = 40;
export const OUTPUT_LENGTH: usize = 44;
export const FLAGS: usize = 48;
export const KIND: usize = 52;
/** Sizes of journal and logs, number of logs, and refund counter at the beginning: a failed frame returns to them. */
export const JOURNAL: usize = 56;
export const LOGS: usize = 60;
export const LOG_COUNT: usize = 64;
export const REFUND: usize = 72;
/** Number of the account whose storage and balance it uses; standard address of the precompile that it runs. */
export const SELF: usize = 80;
export const PRECOMPILE: usize = 84;
/** Index among the frames of the transaction; whether its begin was reported to a recorder, and with its data. */
export const NUMBER: usize = 88;
export const IS_TOLD: usize = 92;
export const FIRST_GAS: usize = 96;
/** Index plus one of the step that is being recorded, 0 for none. */
export const STEP: usize = 104;
/** State gas that it paid from its regular gas; the transaction's state gas when it began (EIP-8037). */
export const SPILLED: usize = 112;
export const RESERVOIR: usize = 120;
export const ADDRESS: usize = 128;
export const CALLER: usize = 160;
export const VALUE: usize = 192;

/** The frame must not change the state (EIP-214). */
export const STATIC: u32 = 1;
/** The frame runs in the precise manner. */
export const PRECISE: u32 = 2;
/** A creation was paid for and waits for an account. */
export const IS_PAID: u32 = 4;
/** Its caller paid for the account that it creates, and is refunded if it fails (EIP-8037). */
export const MAKES_ACCOUNT: u32 = 8;
