/** evm_*, anvil_*, hardhat_*, ganache_*: time travel. Seconds, unless a name says otherwise. */
import { asIs, nothing } from "../../encode/shape.ts";
import { aliasedMethod, method, required } from "../../method.ts";
import { BOOLEAN, INTEGER } from "../../openrpc/json-schema.ts";
import { count } from "../../schema/control-params.ts";
import { countOrDecimal } from "../../schema/primitives.ts";
import { inEveryMode } from "./names.ts";

export const increaseTime = aliasedMethod({
  names: ["evm_increaseTime", ...inEveryMode("increaseTime")],
  summary:
    "Moves time forward. Answers, as a JSON number, the seconds between the chain's time and the clock's in all.",
  params: [required("seconds", countOrDecimal)],
  result: INTEGER,
  run: ({ control }, [seconds]) => control.time.increase(seconds),
  encode: Number,
});

export const setTime = aliasedMethod({
  names: ["evm_setTime", ...inEveryMode("setTime")],
  summary: "Sets the current time. Answers, as a JSON number, by how many seconds it went forward.",
  params: [required("timestamp", countOrDecimal)],
  result: INTEGER,
  run: ({ control }, [timestamp]) => control.time.set(timestamp),
  encode: Number,
});

export const setNextBlockTimestamp = aliasedMethod({
  names: ["evm_setNextBlockTimestamp", ...inEveryMode("setNextBlockTimestamp")],
  summary: "Sets the timestamp of the next block; time goes on from there.",
  params: [required("timestamp", countOrDecimal)],
  run: ({ control }, [timestamp]) => control.time.setNext(timestamp),
  encode: nothing,
});

export const setBlockTimestampInterval = aliasedMethod({
  names: ["anvil_setBlockTimestampInterval", "evm_setBlockTimestampInterval", "ganache_setBlockTimestampInterval"],
  summary: "Sets the seconds between blocks, whatever the clock says.",
  params: [required("seconds", countOrDecimal)],
  run: ({ control }, [seconds]) => control.time.setInterval(seconds),
  encode: nothing,
});

export const hardhatSetBlockTimestampInterval = method({
  name: "hardhat_setBlockTimestampInterval",
  summary: "Sets the time between blocks in milliseconds, which is what viem sends to Hardhat; whole seconds count.",
  params: [required("milliseconds", count)],
  run: ({ control }, [milliseconds]) => control.time.setInterval(BigInt(Math.floor(milliseconds / 1000))),
  encode: nothing,
});

export const removeBlockTimestampInterval = aliasedMethod({
  names: [...inEveryMode("removeBlockTimestampInterval"), "evm_removeBlockTimestampInterval"],
  summary: "Goes back to the clock. Answers whether an interval was set.",
  params: [],
  result: BOOLEAN,
  run: ({ control }) => control.time.removeInterval(),
  encode: asIs,
});
