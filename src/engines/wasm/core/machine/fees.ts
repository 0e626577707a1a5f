// The fee schedule (yellow paper appendix G): what of it depends on the hardfork, in gas. The host writes it (core-rules.ts).

/** The fee schedule. */
@unmanaged
export class Fees {
  /** Of EXP, for a byte of the exponent. */
  expByte: u64;
  /** Access to an account or slot for the first time, and again (EIP-2929). */
  coldAccount: u64;
  coldSlot: u64;
  warm: u64;
  sstoreSet: u64;
  sstoreReset: u64;
  sstoreClearRefund: u64;
  /** Of an SSTORE that changes nothing, or a slot that the transaction changed before (net metering). */
  sstoreNoop: u64;
  selfdestructRefund: u64;
  selfdestructNewAccount: u64;
  initCodeWord: u64;
  /** Limits in bytes. */
  maxCodeSize: u64;
  maxInitCodeSize: u64;
  /** A call that transfers value, including the stipend; one that creates an account. */
  callValue: u64;
  callNewAccount: u64;
  /** Added to the access by EXTCODESIZE and EXTCODECOPY (EIP-8038). */
  readCode: u64;
  /** Code of a new contract: by byte, and by word for its hash. */
  codeByte: u64;
  codeWord: u64;
  /** State gas (EIP-8037): a new account, a new slot, a byte of code. */
  stateAccount: u64;
  stateSlot: u64;
  stateCodeByte: u64;
}

export const fees: Fees = changetype<Fees>(memory.data(offsetof<Fees>(), 16));
