/** Calls and creations by our own loop and over the bridge to EthereumJS' handlers, which has to be where accesses are recorded. */
import { deepStrictEqual } from "node:assert/strict";
import type { Bytes } from "../../src/primitives/bytes.ts";
import type { AccountState } from "../../src/state/view.ts";
import { runCode, type TestRun } from "./evm.ts";

/** Runs a message on both ways, which must do the same. */
export async function onBothWays(given: TestRun) {
  const here = await runCode({ ...given, record: { logs: true } });
  const there = await runCode({ ...given, record: { logs: true, accesses: true } });
  deepStrictEqual(here.result, there.result);
  deepStrictEqual(here.recorder.frames, there.recorder.frames);
  deepStrictEqual(here.state.transactionChanges(), there.state.transactionChanges());
  const account = (address: Bytes): AccountState | undefined =>
    here.state.getAccount(address) as AccountState | undefined;
  return { ...here, account, frame: here.recorder.frames[1] };
}
