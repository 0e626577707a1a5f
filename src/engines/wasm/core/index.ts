// Exports to the host: functions, and addresses of shared memory.
//
// Throughout this folder the compiler puts a function in the place of its calls if its comment says `@inline`.

export { newCode, finishCode } from "./code/new-code";
export { counted, forgetCounted, startCounting } from "./code/coverage";
export { answerBlockhash, prepareBlobHashes } from "./instructions/block-information";
export { memoryLimit, setMemoryLimit, trapReason } from "./machine/heap";
export { run } from "./loop";
export { environment, fees, gas, mailbox, prices, reservoir, setRules, transaction } from "./machine/machine";
export { spilled } from "./messages/frame-end";
export { isUnprepared } from "./messages/preparation";
export { answerPrecompile, prepareOutput } from "./messages/precompiled-contracts";
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
} from "./state/substate";
export { clearEvents, eventBytes, eventsAt, watched } from "./trace/events";
export { logBytes, logCount, logsAt } from "./trace/logs";
export { wantData } from "./trace/recording";
export { clearSteps, stepCount, stepsAt, writesAt, writtenBytes } from "./trace/recorded-steps";
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
} from "./messages/transaction";
export { accountAt, accountCount, addPrecompile, clearPrecompiles, slotAt, slotCount } from "./state/world-state";
