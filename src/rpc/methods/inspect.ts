/** hindcast_get…: what a page or a debugger shows of blocks, transactions and contracts, part by part. */

import { LATEST } from "../../chain/blocks/block-id.ts";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { bytesToBigInt, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { REQUEST_JSON } from "../../primitives/json/json-limits.ts";
import {
  accountSourcesSchema,
  accountStorageSchema,
  encodeAccountSources,
  encodeAccountStorage,
} from "../encode/inspect/account.ts";
import { callPartSchema, callPartText, encodeCallPart } from "../encode/inspect/calls.ts";
import { contractSchema, encodeContract, encodeListedBlock, listedBlockSchema } from "../encode/inspect/lists.ts";
import {
  buildSchema,
  encodeBuild,
  encodeRecording,
  encodeStepSlice,
  encodeWords,
  recordingSchema,
  recordingText,
  stepSliceSchema,
} from "../encode/inspect/recording.ts";
import { encodeStep, encodeStepPart, stepPartSchema, stepSchema } from "../encode/inspect/steps.ts";
import { list, nullable } from "../encode/shape.ts";
import { BUILDS, FOREIGN_BLOCKS, NO_STATE, NOT_TRACED, RECORDING, STOPPED } from "../errors.ts";
import { method, optional, required } from "../method.ts";
import { arrayOf, orNull, TEXT } from "../openrpc/json-schema.ts";
import { WORD } from "../openrpc/primitives.ts";
import { artifactOwner, artifactValue } from "../schema/artifacts.ts";
import { blockPart, part, slots, stepPart, storagePart } from "../schema/parts.ts";
import { address, blockId, hash, integerOrQuantity } from "../schema/primitives.ts";
import { EXAMPLE } from "./example-chain.ts";
import { loadAnalysis } from "./load-analysis.ts";

/** The most that one answer has. */
const WHOLE_PART = { from: 0, count: 10_000 };

export const getCalls = method({
  name: "hindcast_getCalls",
  summary: "Calls of a mined transaction by name, with what they printed, logged and wrote to storage; in parts.",
  params: [required("transactionHash", hash), optional("part", part, WHOLE_PART)],
  result: callPartSchema,
  errors: [RECORDING, "RESULT_LIMIT", FOREIGN_BLOCKS, BUILDS],
  example: { params: [EXAMPLE.transactionHash] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash, wanted], { signal }) =>
    (await analysis()).inspector.calls(txHash, wanted, { signal }),
  encode: encodeCallPart,
  encodeText: callPartText,
});

export const getSteps = method({
  name: "hindcast_getSteps",
  summary: "Operations of a mined transaction, or those of one opcode, with their places in the source; in parts.",
  params: [required("transactionHash", hash), optional("part", stepPart, { from: 0, count: 200, opcode: undefined })],
  result: stepPartSchema,
  errors: [RECORDING, "RESULT_LIMIT", FOREIGN_BLOCKS, BUILDS],
  example: { params: [EXAMPLE.transactionHash, { count: 2 }] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash, wanted], { signal }) =>
    (await analysis()).inspector.steps(txHash, wanted, { signal }),
  encode: encodeStepPart,
});

export const getStep = method({
  name: "hindcast_getStep",
  summary: "One operation of a mined transaction, with stack, memory and written storage as they were before it.",
  params: [required("transactionHash", hash), required("step", integerOrQuantity)],
  result: stepSchema,
  errors: [RECORDING, "RESULT_LIMIT", FOREIGN_BLOCKS, BUILDS],
  example: { params: [EXAMPLE.transactionHash, 2] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash, number], { signal }) =>
    (await analysis()).inspector.step(txHash, number, { signal }),
  encode: encodeStep,
});

export const getContract = method({
  name: "hindcast_getContract",
  summary: "Name and ABI of a contract, if the node has them; null for others.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  result: orNull(contractSchema),
  errors: NO_STATE,
  example: { params: [EXAMPLE.contract] },
  load: loadAnalysis,
  run: async ({ analysis }, [account, id]) => (await analysis()).inspector.contract(account, id),
  encode: nullable(encodeContract),
});

export const addArtifact = method({
  name: "hindcast_addArtifact",
  summary:
    "Adds a JSON ABI, an artifact of Hardhat or Foundry, or a build with sources, as JSON or as DATA of its text, which " +
    "may be gzipped. Answers the contracts' names.",
  writes: true,
  maxValues: REQUEST_JSON.values,
  answeredBy: "reader",
  params: [required("artifact", artifactValue), optional("owner", artifactOwner, {})],
  result: arrayOf(TEXT),
  errors: [
    "INVALID_ABI",
    "INVALID_BUILD",
    "TOO_MANY_ITEMS",
    "JSON_TOO_DEEP",
    "JSON_TOO_MANY_VALUES",
    "JSON_VALUE_TOO_LONG",
    "UNPACKED_TOO_LARGE",
    "EXPLORER_READ_ONLY",
  ],
  example: {
    params: [
      [{ type: "function", name: "total", inputs: [], outputs: [{ type: "uint256", name: "" }] }],
      { name: "Total", address: "0x00000000000000000000000000000000000a11ce" },
    ],
  },
  load: loadAnalysis,
  run: async ({ analysis }, [value, { name, address: at }], { isReadOnly }) => {
    if (isReadOnly === true) {
      const what = "This server's explorer is read-only: no artifact is added through it.";
      throw new UnsupportedError({ code: "EXPLORER_READ_ONLY", what });
    }
    return (await analysis()).inspector.artifacts.add(value, {
      ...(name == null ? {} : { name }),
      ...(at == null ? {} : { address: at }),
    });
  },
  encode: (names) => [...names],
});

export const getStorage = method({
  name: "hindcast_getStorage",
  summary: "Storage of an account by variable, as far as the sources of its contract are known; in parts.",
  params: [
    required("address", address),
    optional("block", blockId, LATEST),
    optional("part", storagePart, { start: EMPTY_BYTES, count: 100 }),
  ],
  result: accountStorageSchema,
  errors: [BUILDS, NO_STATE, "BLOCK_NOT_FOUND", NOT_TRACED, STOPPED, FOREIGN_BLOCKS],
  example: { params: [EXAMPLE.contract] },
  load: loadAnalysis,
  run: async ({ analysis }, [account, id, wanted], { signal }) =>
    (await analysis()).accountStorage.storage(account, id, wanted, { signal }),
  encode: encodeAccountStorage,
});

export const getSources = method({
  name: "hindcast_getSources",
  summary: "Source files of the contract at an address, as far as the node has them; null for others.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  result: orNull(accountSourcesSchema),
  errors: [BUILDS, NO_STATE],
  example: { params: [EXAMPLE.contract] },
  load: loadAnalysis,
  run: async ({ analysis }, [account, id]) => (await analysis()).accountStorage.sources(account, id),
  encode: nullable(encodeAccountSources),
});

export const getBlocks = method({
  name: "hindcast_getBlocks",
  summary: "Blocks from the head or a number downwards, including side blocks, without their transactions.",
  params: [optional("part", blockPart, { from: undefined, count: 25 })],
  result: arrayOf(listedBlockSchema),
  example: { params: [{ count: 1 }] },
  run: ({ blockList }, [{ from, count }]) => blockList.blocks(from, count),
  encode: list(encodeListedBlock),
});

export const getRecording = method({
  name: "hindcast_getRecording",
  summary: "Calls of a mined transaction with all input, output and code, for a debugger; in parts.",
  params: [required("transactionHash", hash), optional("part", part, WHOLE_PART)],
  result: recordingSchema,
  errors: [RECORDING, "RESULT_LIMIT", FOREIGN_BLOCKS],
  example: { params: [EXAMPLE.transactionHash] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash, wanted], { signal }) =>
    (await analysis()).recordings.frames(txHash, wanted, { signal }),
  encode: encodeRecording,
  encodeText: recordingText,
});

export const getRecordedSteps = method({
  name: "hindcast_getRecordedSteps",
  summary: "Steps of a mined transaction in the binary format of docs/debugger.md, for a debugger; in parts.",
  params: [required("transactionHash", hash), optional("part", part, WHOLE_PART)],
  result: stepSliceSchema,
  errors: [RECORDING, "RESULT_LIMIT", FOREIGN_BLOCKS],
  example: { params: [EXAMPLE.transactionHash, { count: 1 }] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash, wanted], { signal }) =>
    (await analysis()).recordings.steps(txHash, wanted, { signal }),
  encode: encodeStepSlice,
});

export const getRecordedStorage = method({
  name: "hindcast_getRecordedStorage",
  summary: "Values of at most 1,024 storage slots of an account before a mined transaction.",
  params: [required("transactionHash", hash), required("address", address), required("slots", slots)],
  result: arrayOf(WORD),
  errors: [RECORDING, "RESULT_LIMIT", FOREIGN_BLOCKS],
  example: { params: [EXAMPLE.transactionHash, EXAMPLE.contract, ["0x0"]] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash, account, wanted], { signal }) =>
    (await analysis()).recordings.storageBefore(txHash, { account, slots: wanted.map(bytesToBigInt) }, { signal }),
  encode: encodeWords,
});

export const getBuilds = method({
  name: "hindcast_getBuilds",
  summary: "Sources and compiler output of the contracts that ran in a mined transaction, as far as the node has them.",
  params: [required("transactionHash", hash)],
  result: arrayOf(buildSchema),
  errors: [RECORDING, "RESULT_LIMIT", FOREIGN_BLOCKS, BUILDS],
  example: { params: [EXAMPLE.transactionHash] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash], { signal }) => (await analysis()).recordings.builds(txHash, { signal }),
  encode: list(encodeBuild),
});
