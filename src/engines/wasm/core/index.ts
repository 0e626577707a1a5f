// Exports to the host: functions, and addresses of shared memory.
//
// Throughout this folder the compiler puts a function in the place of its calls if its comment says `@inline`.

export { counted, forgetCounted, startCounting } from "./code/coverage";
export { areCodesMany, dropCodes, finishCode, newCode, prepareBytes } from "./code/new-code";
export { current as currentStep } from "./code/steps";
export { answerBlockhash, prepareBlobHashes } from "./instructions/block-information";
export { run } from "./loop";
export { environment } from "./machine/environment";
export { fees } from "./machine/fees";
export { memoryLimit, setMemoryLimit, trapReason } from "./machine/heap";
export { gas, prices, reservoir, setRules, transaction } from "./machine/machine";
export { mailbox } from "./machine/mailbox";
export { spilled } from "./messages/frame-end";
export { answerPrecompile, prepareOutput } from "./messages/precompiled-contracts";
export { isUnprepared } from "./messages/preparation";
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
export { changedAccounts, changedSlots, seenAccounts, seenSlots } from "./state/number-list";
export { refund } from "./state/substate";
export { accountAt, accounts, addPrecompile, clearPrecompiles, slotAt, slots } from "./state/world-state";
export { clearEvents, events, watched } from "./trace/events";
export { logs } from "./trace/logs";
export { clearSteps, steps, writes } from "./trace/recorded-steps";
export { wantData } from "./trace/recording";
