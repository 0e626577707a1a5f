/** What is forwarded while one writer replaces another, with writers that fail as they are told. */
import { expect, it as inTurn } from "vitest";
import { RemoteError } from "../../../src/errors/hindcast-error.ts";
import { Forwarding } from "../../../src/node/sharing/forwarding.ts";
import { decodeData, encodeData } from "../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import type { RpcContext } from "../../../src/rpc/context.ts";
import type { AnswerRequest } from "../../../src/rpc/requests/answer-request.ts";
import type { Follower } from "../../../src/sharing/follower.ts";
import { firstPosition } from "../../../src/sharing/stream-position.ts";
import { encodePositionJson } from "../../../src/sharing/wire.ts";
import { WriterRefusal } from "../../../src/sharing/writer-client.ts";

/** They only wait: one beside the other. */
const it = inTurn.concurrent;
const POSITION = firstPosition();
/** Milliseconds in which the next writer has to be there. */
const WAIT_MS = 400;

/** An answer of a writer, or how it fails. */
type Turn = "not connected" | "lost" | "refuses" | { readonly result?: unknown; readonly error?: object };

const unreachable = (): RemoteError => new RemoteError({ code: "WRITER_UNREACHABLE", what: "The writer is away." });

/** Forwards to writers that do one of the turns at each attempt, and the last one for ever. */
function forwardingTo(turns: readonly Turn[], { epoch }: { readonly epoch: bigint | undefined } = { epoch: 1n }) {
  const asked: string[] = [];
  let attempts = 0;
  const connect = async () => {
    const turn = turns[Math.min(attempts++, turns.length - 1)] as Turn;
    if (turn === "not connected") throw unreachable();
    return {
      ask: async (_: string, { method }: Readonly<Record<string, unknown>>) => {
        asked.push(String(method));
        if (turn === "lost") throw unreachable();
        if (turn === "refuses") throw new WriterRefusal({ code: -32_004, message: "Another node writes this chain." });
        return { position: encodePositionJson(POSITION), ...turn };
      },
    };
  };
  const source = { epoch, writer: { label: "a writer", connect }, wake: () => undefined };
  const follower = { position: POSITION, isClosed: false, reached: async () => undefined, source };
  const forwarding = new Forwarding(follower as unknown as Follower, {} as RpcContext, WAIT_MS);
  return { forwarding, asked, attempts: () => attempts };
}

const request = (method: string, writes: boolean, values: readonly unknown[] = []): AnswerRequest =>
  ({
    ...{ method, params: [], values, call: { responseShape: "standard" } },
    entry: { writes: writes ? true : undefined, answeredBy: "writer" },
  }) as unknown as AnswerRequest;
const SEND = request("eth_sendTransaction", true);
const READ = request("eth_gasPrice", false);
const RAW = request("eth_sendRawTransaction", true, [decodeData("0x02c0")]);
const HASH = encodeData(keccak256(decodeData("0x02c0")));

it.each(["not connected", "refuses"] as const)(
  "a writer that is %s has done nothing: the next one is asked",
  async (turn) => {
    const { forwarding, attempts } = forwardingTo([turn, turn, { result: "0x1" }]);
    expect(await forwarding.answer(SEND)).toBe("0x1");
    expect(attempts()).toBe(3);
  },
);

it("what a lost writer may have done is not asked of the next one", async () => {
  const { forwarding, asked } = forwardingTo(["lost", { result: "0x1" }]);
  await expect(forwarding.answer(SEND)).rejects.toMatchObject({ code: "WRITER_UNREACHABLE" });
  expect(asked).toEqual(["eth_sendTransaction"]);
});

it("what changes nothing is asked again", async () => {
  const { forwarding } = forwardingTo([
    "lost",
    { error: { name: "WRITER_FENCED", code: -32_004, message: "" } },
    { result: "0x7" },
  ]);
  expect(await forwarding.answer(READ)).toBe("0x7");
});

it("a signed transaction is sent again, and counts as sent if the next writer has it", async () => {
  const known = { error: { name: "ALREADY_KNOWN", code: -32_003, message: "already known" } };
  const { forwarding, asked } = forwardingTo(["lost", known, { result: { hash: HASH } }]);
  expect(await forwarding.answer(RAW)).toBe(HASH);
  expect(asked).toEqual(["eth_sendRawTransaction", "eth_sendRawTransaction", "eth_getTransactionByHash"]);
});

it("a signed transaction that the next writer refuses and does not have is an error", async () => {
  const refused = { error: { name: "NONCE_TOO_LOW", code: -32_003, message: "nonce too low" } };
  const { forwarding } = forwardingTo(["lost", refused, { result: null }]);
  await expect(forwarding.answer(RAW)).rejects.toMatchObject({ code: "NONCE_TOO_LOW" });
});

it("a signed transaction whose block a replaced writer could not write is sent to the next one", async () => {
  const fenced = { error: { name: "WRITER_FENCED", code: -32_004, message: "Another node writes this chain now." } };
  const { forwarding } = forwardingTo([fenced, { result: HASH }]);
  expect(await forwarding.answer(RAW)).toBe(HASH);
  const other = forwardingTo([fenced, { result: HASH }]);
  await expect(other.forwarding.answer(SEND)).rejects.toMatchObject({ code: "WRITER_FENCED" });
});

it("an answer that was refused at once is not looked into", async () => {
  const refused = { error: { name: "NONCE_TOO_LOW", code: -32_003, message: "nonce too low" } };
  const { forwarding, asked } = forwardingTo([refused, { result: {} }]);
  await expect(forwarding.answer(RAW)).rejects.toMatchObject({ code: "NONCE_TOO_LOW" });
  expect(asked).toEqual(["eth_sendRawTransaction"]);
});

it("a transaction with its blobs is not sent again: its bytes do not have its hash", async () => {
  const { forwarding } = forwardingTo(["lost", { result: "0x1" }]);
  const blobs = request("eth_sendRawTransaction", true, [decodeData("0x03c0")]);
  await expect(forwarding.answer(blobs)).rejects.toMatchObject({ code: "WRITER_UNREACHABLE" });
});

it("after some time without a writer there is an error", async () => {
  const { forwarding, attempts } = forwardingTo(["not connected"]);
  await expect(forwarding.answer(SEND)).rejects.toMatchObject({ code: "WRITER_UNREACHABLE" });
  expect(attempts()).toBeGreaterThan(1);
});

it("where no other node can become the writer, nothing is tried again", async () => {
  for (const turn of ["not connected", "lost"] as const) {
    const { forwarding, attempts } = forwardingTo([turn, { result: "0x1" }], { epoch: undefined });
    await expect(forwarding.answer(READ)).rejects.toMatchObject({ code: "WRITER_UNREACHABLE" });
    expect(attempts()).toBe(1);
  }
});
