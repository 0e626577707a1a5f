/** evm_*, anvil_*, hardhat_*, ganache_*: the chain's time. In seconds, unless a name says otherwise. */
import { secondsAdded, timestampSet } from "../../encode/dev-answers.ts";
import { asIs, nothing } from "../../encode/shape.ts";
import { aliasedMethod, inEveryMode, method, required } from "../../method.ts";
import { BOOLEAN, INTEGER, NULL } from "../../openrpc/json-schema.ts";
import { count } from "../../schema/control-params.ts";
import { countOrDecimal } from "../../schema/primitives.ts";

export const increaseTime = aliasedMethod({
  names: ["evm_increaseTime", ...inEveryMode("increaseTime")],
  summary: "Moves time forward. Answers the total seconds between chain time and clock, as a JSON number.",
  writes: true,
  params: [required("seconds", countOrDecimal)],
  result: INTEGER,
  example: { params: [60] },
  run: ({ control }, [seconds]) => control.time.increase(seconds),
  encode: secondsAdded,
});

export const setTime = aliasedMethod({
  names: ["evm_setTime", ...inEveryMode("setTime")],
  summary: "Sets the current time. Answers the seconds by which it moved forward, as a JSON number.",
  writes: true,
  params: [required("timestamp", countOrDecimal)],
  result: INTEGER,
  example: { params: [1700001000] },
  run: ({ control }, [timestamp]) => control.time.setInUnit(timestamp),
  encode: secondsAdded,
});

export const setNextBlockTimestamp = aliasedMethod({
  names: ["evm_setNextBlockTimestamp", ...inEveryMode("setNextBlockTimestamp")],
  summary: "Sets the timestamp of the next block; later time counts from there.",
  writes: true,
  params: [required("timestamp", countOrDecimal)],
  result: NULL,
  example: { params: [1700002000] },
  run: ({ control }, [timestamp]) => {
    control.time.setNext(timestamp);
    return timestamp;
  },
  encode: timestampSet,
});

export const setBlockTimestampInterval = aliasedMethod({
  names: ["anvil_setBlockTimestampInterval", "evm_setBlockTimestampInterval", "ganache_setBlockTimestampInterval"],
  summary: "Sets the seconds between block timestamps, independent of the clock.",
  writes: true,
  params: [required("seconds", countOrDecimal)],
  result: NULL,
  example: { params: [12] },
  run: ({ control }, [seconds]) => control.time.setInterval(seconds),
  encode: nothing,
});

export const hardhatSetBlockTimestampInterval = method({
  name: "hardhat_setBlockTimestampInterval",
  summary:
    "Sets the time between block timestamps in milliseconds, as viem sends it to Hardhat; fractions of seconds are dropped.",
  writes: true,
  params: [required("milliseconds", count)],
  result: NULL,
  example: { params: [12000] },
  run: ({ control }, [milliseconds]) => control.time.setInterval(BigInt(Math.floor(milliseconds / 1000))),
  encode: nothing,
});

export const removeBlockTimestampInterval = aliasedMethod({
  names: [...inEveryMode("removeBlockTimestampInterval"), "evm_removeBlockTimestampInterval"],
  summary: "Block timestamps follow the clock again. Answers whether an interval was set.",
  writes: true,
  params: [],
  result: BOOLEAN,
  example: { params: [] },
  run: ({ control }) => control.time.removeInterval(),
  encode: asIs,
});
