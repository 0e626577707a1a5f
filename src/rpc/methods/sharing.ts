/** hindcast_*: chains that are shared with other nodes, and those nodes. */
import { encodeBaseJson, encodeStreamJson } from "../../sharing/wire.ts";
import { method, required } from "../method.ts";
import { BOOLEAN } from "../openrpc/json-schema.ts";
import {
  encodeForwarded,
  encodeSharingStatus,
  forwardedSchema,
  sharingStatusSchema,
  streamBaseSchema,
  streamSchema,
} from "../sharing/answers.ts";
import { forwardParam, streamBaseParam, streamParam } from "../sharing/params.ts";
import { answerForwarded, binaryMessages, requireShared, takeOver } from "../sharing/port.ts";

const READING = ["CHAIN_NOT_SHARED", "SHARE_TOKEN_WRONG"] as const;

export const sharingStatus = method({
  name: "hindcast_status",
  summary:
    "Whether the node shares its chain or follows another node's, the number of changes that it has, and how far it is behind.",
  params: [],
  result: sharingStatusSchema,
  example: { params: [] },
  run: ({ sharing }) => sharing?.status,
  encode: encodeSharingStatus,
});

export const takeOverChain = method({
  name: "hindcast_takeOver",
  summary: "Makes a node that stands by the writer of its chain in PostgreSQL, instead of the current one.",
  params: [],
  result: BOOLEAN,
  errors: ["CHAIN_NOT_SHARED", "TAKE_OVER_REFUSED"],
  answeredBy: "reader",
  run: ({ sharing }) => takeOver(sharing),
  encode: (done) => done,
});

export const stream = method({
  name: "hindcast_stream",
  summary:
    "The changes of a shared chain after a position, as binary messages before the answer, for nodes that follow it; " +
    "without a position what the chain is. Waits for the next change after the last one.",
  betweenNodes: true,
  params: [required("request", streamParam)],
  result: streamSchema,
  errors: [READING],
  run: async ({ sharing }, [{ token, position, waitMs }], { signal, session }) => {
    const shared = requireShared(sharing, token);
    const sendBytes = binaryMessages(session);
    const answer = await shared.entries(position ?? undefined, waitMs, signal);
    for (const payload of answer.part?.payloads ?? []) sendBytes(payload);
    return answer;
  },
  encode: encodeStreamJson,
});

export const streamBase = method({
  name: "hindcast_streamBase",
  summary: "All entries of a shared chain's store at one position, in chunks, each a binary message before its answer.",
  betweenNodes: true,
  params: [required("request", streamBaseParam)],
  result: streamBaseSchema,
  errors: [READING, "BASE_NOT_FOUND", "TOO_MANY_BASES", "INVALID_PARAMS"],
  run: async ({ sharing }, [{ token, base, chunk }], { session }) => {
    const shared = requireShared(sharing, token);
    const sendBytes = binaryMessages(session);
    const answer = await (base == null ? shared.beginBase() : shared.continueBase(base, chunk));
    sendBytes(answer.payload);
    return answer;
  },
  encode: encodeBaseJson,
});

export const forward = method({
  name: "hindcast_forward",
  summary: "Answers a request that a node which follows this one was asked, after all changes that it has.",
  betweenNodes: true,
  params: [required("request", forwardParam)],
  result: forwardedSchema,
  errors: [READING],
  run: ({ sharing }, [request], call) => answerForwarded(sharing, request, call),
  encode: encodeForwarded,
});
