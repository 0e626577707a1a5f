/** A batch is its requests one after the other: told to one of two nodes with the same story, singly to the other. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ALICE, addressText, BOB, openNode, quantity, type ServedNode, serve, wordText } from "../../support/a-node.ts";
import { logCall } from "../../support/contracts.ts";
import { runs } from "../../support/seed.ts";
import { type Story, tellStory } from "../a-story.ts";
import { READING } from "../recorded-requests.ts";

type Requested = readonly [method: string, params: unknown];

let batched: ServedNode;
let single: ServedNode;
let story: Story;

beforeAll(async () => {
  [batched, single] = await Promise.all([serve(await openNode()), serve(await openNode())]);
  story = await tellStory(batched.node);
  expect(await tellStory(single.node)).toEqual(story);
});
afterAll(() => Promise.all([batched.node.close(), single.node.close()]));

const reading = fc
  .constantFrom(...[...READING].flatMap(([method, list]) => list.map(({ params }) => ({ method, params }))))
  .map(
    ({ method, params }) =>
      (): Requested => [method, typeof params === "function" ? params(story, "0x") : params],
  );
const small = fc.nat({ max: 0xffff }).map(quantity);
const writing = fc
  .oneof(
    small.map((value): Requested => ["eth_sendTransaction", [{ from: ALICE, to: BOB, value }]]),
    small.map(
      (topic): Requested => ["eth_sendTransaction", [{ from: BOB, to: "emitter", data: logCall([Number(topic)]) }]],
    ),
    small.map((balance): Requested => ["anvil_setBalance", [addressText(0x77), balance]]),
    small.map((value): Requested => ["anvil_setStorageAt", [addressText(0x77), "0x0", wordText(BigInt(value))]]),
    fc.constantFrom<Requested>(
      ...([
        ["evm_mine", []],
        ["evm_snapshot", []],
        ["evm_revert", ["0x1"]],
        ["anvil_reorg", [1, []]],
      ] as const),
      ...([
        ["eth_blockNumber", []],
        ["eth_getLogs", [{ fromBlock: "0x2" }]],
        ["txpool_content", []],
      ] as const),
      ...([
        ["eth_getBlockByNumber", ["latest", true]],
        ["trace_block", ["latest"]],
      ] as const),
      ...([
        ["evm_setAutomine", [false]],
        ["evm_setAutomine", [true]],
        ["eth_newBlockFilter", []],
      ] as const),
    ),
  )
  .map(
    ([method, params]) =>
      (): Requested => [method, JSON.parse(JSON.stringify(params).replace('"emitter"', JSON.stringify(story.emitter)))],
  );
const wrong = fc
  .constantFrom<Requested>(["no_suchMethod", []], ["eth_getBalance", []], ["eth_chainId", [1]], ["eth_call", { to: 1 }])
  .map((request) => () => request);
const id = fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, undefined));

const requests = fc.array(
  fc.tuple(fc.oneof({ weight: 3, arbitrary: reading }, { weight: 3, arbitrary: writing }, wrong), id),
  { minLength: 1, maxLength: 12 },
);

it("a batch of n requests gives the same answers as n single requests, notifications and errors included", async () => {
  await fc.assert(
    fc.asyncProperty(requests, fc.constantFrom("plain", "parity"), async (list, door) => {
      const envelopes = list.map(([make, requestId]) => {
        const [method, params] = make();
        return { jsonrpc: "2.0", ...(requestId === undefined ? {} : { id: requestId }), method, params };
      });
      const answers: string[] = [];
      for (const envelope of envelopes) {
        const { status, text } = await single[door].post(JSON.stringify(envelope));
        expect(status).toBe("id" in envelope ? 200 : 204);
        if (text !== "") answers.push(text);
      }
      const { status, text } = await batched[door].post(JSON.stringify(envelopes));
      expect(status).toBe(answers.length === 0 ? 204 : 200);
      expect(anonymous(text)).toBe(anonymous(answers.length === 0 ? "" : `[${answers.join(",")}]`));
    }),
    // The nodes go on from run to run: a shorter list would not begin where the longer one did.
    { numRuns: runs(8), endOnFailure: true },
  );
});

/** Every process and filter has an id of its own. */
function anonymous(text: string): string {
  return text
    .replaceAll(/"instanceId":"0x[0-9a-f]{64}"/g, '"instanceId":"(random)"')
    .replaceAll(/"result":"0x[0-9a-f]{25,32}"/g, '"result":"(random)"');
}
