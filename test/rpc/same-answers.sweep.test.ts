import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { methods } from "../../src/rpc/registry.ts";
import { openNode, type RpcFailure, serve } from "../support/a-node.ts";
import { isSlow, sweep } from "../support/seed.ts";
import { type Story, tellStory } from "./a-story.ts";
import { type Params, READING, type Recording, WRITING } from "./recorded-requests.ts";

/** The text of a result or an error, and the result itself for what comes next. */
interface Answer {
  readonly text: string;
  readonly result: unknown;
}

type Ask = (method: string, params: readonly unknown[]) => Promise<Answer>;

/** In process: the result through JSON.stringify. */
const inProcess =
  (node: HindcastNode): Ask =>
  async (method, params) => {
    try {
      const result = await node.provider.send(method, params);
      return { text: JSON.stringify(result), result };
    } catch (error) {
      const { code, message, data } = error as RpcFailure;
      return {
        text: `error ${JSON.stringify({ code, message, ...(data === undefined ? {} : { data }) })}`,
        result: null,
      };
    }
  };

const RESULT = '{"jsonrpc":"2.0","id":1,"result":';
const ERROR = '{"jsonrpc":"2.0","id":1,"error":';

/** Over HTTP: the text of the result as it came. */
const overHttp =
  (post: (body: string) => Promise<{ text: string }>): Ask =>
  async (method, params) => {
    const { text } = await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    if (text.startsWith(ERROR)) return { text: `error ${text.slice(ERROR.length, -1)}`, result: null };
    const result = text.slice(RESULT.length, -1);
    return { text: result, result: JSON.parse(result) };
  };

/** Params of the requests of one method. */
interface Session {
  readonly ask: Ask;
  readonly story: Story;
}

/** The texts of the answers to a method's recorded requests. */
async function answersTo(name: string, { ask, story }: Session): Promise<string[]> {
  const texts: string[] = [];
  const paramsOf = (params: Params, last: unknown): readonly unknown[] =>
    typeof params === "function" ? params(story, last) : params;
  for (const { before = [], params } of recordingsOf(name)) {
    let last: unknown;
    for (const [method, needed] of before) ({ result: last } = await ask(method, paramsOf(needed, last)));
    const { text } = await ask(name, paramsOf(params, last));
    // Every process has an id of its own.
    texts.push(text.replace(/"instanceId":"0x[0-9a-f]{64}"/, '"instanceId":"(random)"'));
  }
  return texts;
}

/** A method may have several names; a recording under any of them serves for all. */
const ALIASES = new Map(methods.map(({ name, aliasOf }) => [name, aliasOf ?? name]));
const familyOf = (name: string): string => ALIASES.get(name) ?? name;
const ALL = new Map<string, readonly Recording[]>([...READING, ...WRITING]);
const BY_FAMILY = new Map([...ALL].map(([name, recordings]) => [familyOf(name), recordings]));
const recordingsOf = (name: string): readonly Recording[] => ALL.get(name) ?? BY_FAMILY.get(familyOf(name)) ?? [];

/** The recorded names in their order, each followed by its other names. */
function namesOf(recordings: ReadonlyMap<string, unknown>): string[] {
  const others = (name: string): string[] =>
    methods
      .map((entry) => entry.name)
      .filter((other) => other !== name && !ALL.has(other) && familyOf(other) === familyOf(name));
  return [...new Set([...recordings.keys()].flatMap((name) => [name, ...others(name)]))];
}
const RECORDED_NAMES = { reading: [...READING.keys()], writing: [...WRITING.keys()] };
/** Other names run the same code: they are asked for once, and in default tests some of them. */
const ALL_NAMES = {
  reading: sweep(namesOf(READING), (name, index) => READING.has(name) || index % 5 === 0),
  writing: sweep(namesOf(WRITING), (name, index) => WRITING.has(name) || index % 5 === 0),
};

/** Their answers are bound to a connection, a process or a moment; tests of their own hold them. */
const BOUND_METHODS =
  /^eth_(new.*Filter|getFilter.*|uninstallFilter)$|_(un)?subscribe$|_(dump|load)State$|^personal_newAccount$/;

it("every method of the registry has a recorded request", () => {
  const missing = methods
    .map(({ name }) => name)
    .filter((name) => recordingsOf(name).length === 0 && !BOUND_METHODS.test(name));
  expect(missing).toEqual([]);
});

const refused: Set<string>[] = [];

const CHAINS = [
  ["standard", "osaka", ALL_NAMES],
  ["parity", "osaka", RECORDED_NAMES],
  ["standard", "berlin", RECORDED_NAMES],
] as const;

describe.each(sweep(CHAINS, (_, index) => index === 0))(
  "answers of the %s shape (%s)",
  (responseShape, hardfork, { reading, writing }) => {
    let dataDir: string;
    let kept: HindcastNode;
    let reopened: HindcastNode;
    /** By the four ways of asking: method name to answers. The first and the last asked the writing methods, too. */
    let provider: Map<string, string[]>;
    let http: Map<string, string[]>;
    let reopenedProvider: Map<string, string[]>;
    let reopenedHttp: Map<string, string[]>;

    const askAll = async (session: Session, names: readonly string[]): Promise<Map<string, string[]>> => {
      const answers = new Map<string, string[]>();
      for (const name of names) answers.set(name, await answersTo(name, session));
      return answers;
    };
    const served = async (node: HindcastNode): Promise<Ask> => {
      const { plain, parity } = await serve(node);
      return overHttp(responseShape === "standard" ? plain.post : parity.post);
    };

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), "hindcast-answers-"));
      kept = await openNode({ responseShape, hardfork });
      const story = await tellStory(kept);
      // Default tests compare two of the four ways, which differ in both respects, and some answers in all of them.
      const inAllWays = sweep(reading, (_, index) => index % 10 === 0);
      http = await askAll({ ask: await served(kept), story }, inAllWays);
      provider = await askAll({ ask: inProcess(kept), story }, [...reading, ...writing]);
      const teller = await openNode({ hardfork, dataDir });
      expect(await tellStory(teller)).toEqual(story);
      await teller.close();
      reopened = await openNode({ responseShape, hardfork, dataDir });
      reopenedProvider = await askAll({ ask: inProcess(reopened), story }, inAllWays);
      reopenedHttp = await askAll({ ask: await served(reopened), story }, [...reading, ...writing]);
      refused.push(
        new Set(
          [...provider].filter(([, texts]) => texts.every((text) => text.startsWith("error"))).map(([name]) => name),
        ),
      );
    });
    afterAll(async () => {
      await Promise.all([kept.close(), reopened.close()]);
      await rm(dataDir, { recursive: true, force: true });
    });

    it.each(reading)("to %s are the same in process and over HTTP, before and after reopening", (name) => {
      const texts = provider.get(name) ?? [];
      expect(texts.length).toBeGreaterThan(0);
      if (isSlow) expect([http.has(name), reopenedProvider.has(name)]).toEqual([true, true]);
      for (const answers of [http, reopenedProvider]) expect(answers.get(name) ?? texts).toEqual(texts);
      expect(reopenedHttp.get(name)).toEqual(texts);
    });

    it.each(writing)("to %s are the same in process and, after reopening, over HTTP", (name) => {
      const texts = provider.get(name) ?? [];
      expect(texts.length).toBeGreaterThan(0);
      expect(reopenedHttp.get(name)).toEqual(texts);
    });
  },
);

if (isSlow) {
  it("every method but those that this node refuses is answered with a result on some chain", () => {
    const always = [...(refused[0] ?? [])].filter((name) => refused.every((names) => names.has(name)));
    // None of these chains gets to Amsterdam, refuses a block, or is shared.
    const lacking = ["debug_getRawBlockAccessList", "debug_traceBadBlock"];
    const ofShared = ["hindcast_stream", "hindcast_streamBase", "hindcast_forward", "hindcast_takeOver"];
    expect(new Set(always.map(familyOf))).toEqual(new Set(["anvil_setRpcUrl", ...lacking, ...ofShared]));
  });
}
