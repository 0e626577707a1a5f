// The functions that the host may call, and the addresses of the memory that both read and write.
//
// In all files of this folder `// @ts-ignore: decorator` stands before `@inline`: AssemblyScript has
// decorators of functions, which TypeScript refuses, and editors check these files as TypeScript.

export { newCode, finishCode } from "./code";
export { counted, forgetCounted, startCounting } from "./coverage";
export { answerBlockhash, prepareBlobHashes } from "./block-information";
export { memoryLimit, setMemoryLimit, trapReason } from "./heap";
export { run } from "./loop";
export { environment, fees, gas, mailbox, operands, prices, reservoir, setRules, transaction } from "./machine";
export { isUnprepared, spilled } from "./message-call";
export { answerPrecompile, prepareOutput } from "./precompiled-contracts";
export {
  changedAccountCount,
  changedAccountList,
  changedSlotCount,
  changedSlotList,
  refund,
  seenAccountCount,
  seenAccountList,
  seenSlotCount,
  seenSlotList,
} from "./substate";
export {
  clearEvents,
  clearSteps,
  eventBytes,
  eventsAt,
  logBytes,
  logCount,
  logsAt,
  stepCount,
  stepsAt,
  writesAt,
  writtenBytes,
} from "./trace";
export {
  abandonTransaction,
  accountOf,
  beginMessage,
  beginSession,
  beginTransaction,
  changeBalance,
  changeCode,
  changeNonce,
  checkpoint,
  endTransaction,
  prepareInput,
  prepareNewCode,
  refuseMessage,
  revertTo,
  see,
  slotOf,
  warm,
  warmSlotAt,
} from "./transaction";
export { accountAt, accountCount, addPrecompile, clearPrecompiles, slotAt, slotCount } from "./world-state";
