/** hindcast_…: recordings of transactions, from which a debugger replays them without this node's help. */
import { bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { encodeBuild, encodeRecording, encodeStepSlice, encodeWords } from "../encode/inspection/recording.ts";
import { list } from "../encode/shape.ts";
import { method, optional, required } from "../method.ts";
import { part } from "../schema/inspection/parts.ts";
import { slots } from "../schema/inspection/slots.ts";
import { address, hash } from "../schema/primitives.ts";

const WHOLE_PART = { from: 0, count: 10_000 };

export const getRecording = method({
  name: "hindcast_getRecording",
  summary: "Calls of a mined transaction with all input, output and code, for a debugger; in parts.",
  params: [required("transactionHash", hash), optional("part", part, WHOLE_PART)],
  run: ({ recordings }, [txHash, wanted], { signal }) => recordings.frames(txHash, wanted, { signal }),
  encode: encodeRecording,
});

export const getRecordedSteps = method({
  name: "hindcast_getRecordedSteps",
  summary: "Steps of a mined transaction in the binary format of docs/debugger.md, for a debugger; in parts.",
  params: [required("transactionHash", hash), optional("part", part, WHOLE_PART)],
  run: ({ recordings }, [txHash, wanted], { signal }) => recordings.steps(txHash, wanted, { signal }),
  encode: encodeStepSlice,
});

export const getRecordedStorage = method({
  name: "hindcast_getRecordedStorage",
  summary: "Values of at most 1,024 storage slots of an account before a mined transaction.",
  params: [required("transactionHash", hash), required("address", address), required("slots", slots)],
  run: ({ recordings }, [txHash, account, wanted], { signal }) =>
    recordings.storageBefore(txHash, { account, slots: wanted.map(bytesToBigInt) }, { signal }),
  encode: encodeWords,
});

export const getBuilds = method({
  name: "hindcast_getBuilds",
  summary: "Sources and compiler output of the contracts that ran in a mined transaction, as far as the node has them.",
  params: [required("transactionHash", hash)],
  run: ({ recordings }, [txHash], { signal }) => recordings.builds(txHash, { signal }),
  encode: list(encodeBuild),
});
