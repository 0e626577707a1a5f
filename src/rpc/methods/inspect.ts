/** hindcast_get…: what a page shows of blocks, transactions and contracts, part by part. */
import { LATEST } from "../../chain/archive/block-id.ts";
import { encodeCallPart } from "../encode/inspection/calls.ts";
import { encodeContract, encodeListedBlock } from "../encode/inspection/lists.ts";
import { encodeStep, encodeStepPart } from "../encode/inspection/steps.ts";
import { list, nullable } from "../encode/shape.ts";
import { method, optional, required } from "../method.ts";
import { blockPart, part, stepPart } from "../schema/parts.ts";
import { address, blockId, hash, integerOrQuantity } from "../schema/primitives.ts";

export const getCalls = method({
  name: "hindcast_getCalls",
  summary: "Calls of a mined transaction by name, with what they printed, logged and wrote to storage; in parts.",
  params: [required("transactionHash", hash), optional("part", part, { from: 0, count: 10_000 })],
  run: ({ inspector }, [txHash, wanted], { signal }) => inspector.calls(txHash, wanted, { signal }),
  encode: encodeCallPart,
});

export const getSteps = method({
  name: "hindcast_getSteps",
  summary: "Operations of a mined transaction, or those of one opcode, with their places in the source; in parts.",
  params: [required("transactionHash", hash), optional("part", stepPart, { from: 0, count: 200, opcode: undefined })],
  run: ({ inspector }, [txHash, wanted], { signal }) => inspector.steps(txHash, wanted, { signal }),
  encode: encodeStepPart,
});

export const getStep = method({
  name: "hindcast_getStep",
  summary: "One operation of a mined transaction, with stack, memory and written storage as they were before it.",
  params: [required("transactionHash", hash), required("step", integerOrQuantity)],
  run: ({ inspector }, [txHash, number], { signal }) => inspector.step(txHash, number, { signal }),
  encode: encodeStep,
});

export const getContract = method({
  name: "hindcast_getContract",
  summary: "Name and ABI of a contract, as far as the node was told of it; null for others.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  run: ({ inspector }, [account, id]) => inspector.contract(account, id),
  encode: nullable(encodeContract),
});

export const getBlocks = method({
  name: "hindcast_getBlocks",
  summary: "Blocks from the head or a number downwards, those beside the chain too, without their transactions.",
  params: [optional("part", blockPart, { from: undefined, count: 25 })],
  run: ({ blockList }, [{ from, count }]) => blockList.blocks(from, count),
  encode: list(encodeListedBlock),
});
