/** `hindcast debug` as editors run it: a process that speaks the Debug Adapter Protocol. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { lineOf, PATH, readShop, Shop, SOURCE } from "../debugger/shop.ts";
import { aFolder } from "../support/a-folder.ts";
import { buildOnce } from "../support/build-once.ts";
import { isSlow, sweep } from "../support/seed.ts";
import { aCommand } from "./a-command.ts";
import { aDebugger, aSocketClient, type DapClient } from "./a-debugger.ts";

interface Frame {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly source: { readonly path?: string; readonly sourceReference?: number };
}

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly variablesReference: number;
}

let shop: Shop;
let url: string;
let buy: Hex;

beforeAll(async () => {
  buildOnce();
  shop = await Shop.open();
  ({ url } = await shop.node.listen({ port: 0 }));
  buy = await shop.call("buy", 5n, 1, "note");
});
afterAll(() => shop.node.close());

const stackOf = async (client: DapClient): Promise<readonly Frame[]> =>
  (await client.ask<{ stackFrames: Frame[] }>("stackTrace", { threadId: 1 })).stackFrames;

const lineAt = async (client: DapClient): Promise<number> => (await stackOf(client))[0]?.line ?? 0;

async function values(client: DapClient, scope: string): Promise<Readonly<Record<string, string>>> {
  const [frame] = await stackOf(client);
  const { scopes } = await client.ask<{ scopes: Variable[] }>("scopes", { frameId: frame?.id });
  const variablesReference = scopes.find(({ name }) => name === scope)?.variablesReference;
  const { variables } = await client.ask<{ variables: Variable[] }>("variables", { variablesReference });
  return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
}

/** 20 lines forward and back, with a breakpoint, locals and state on the way. */
async function drive(client: DapClient): Promise<void> {
  const source = { path: `/anywhere/${PATH}` };
  const reason = await client.start([{ source, breakpoints: [{ line: lineOf("count") }] }]);
  expect(reason).toBe("entry");
  const forward = [await lineAt(client)];
  for (let step = 0; step < 20; step++) {
    await client.go("stepIn");
    forward.push(await lineAt(client));
  }
  expect(new Set(forward).size).toBeGreaterThan(15);
  expect(await client.go("continue")).toBe("breakpoint");
  expect(await lineAt(client)).toBe(lineOf("count"));
  expect(await values(client, "Locals")).toMatchObject({ price: "20", tag: "0x01020304" });
  expect(await values(client, "State")).toMatchObject({ count: "0", title: '"Corner"' });
  await client.go("next");
  expect(await values(client, "State")).toMatchObject({ count: "1" });
  const back: number[] = [];
  for (let step = 0; step < 13; step++) {
    await client.go("stepBack");
    back.push(await lineAt(client));
  }
  expect(back.slice(0, 2)).toEqual([lineOf("count"), lineOf("stored") + 1]);
  expect(back.at(-1)).toBe(lineOf("open"));
}

describe("hindcast debug", () => {
  it("steps forward and back through a transaction of a node, and ends when the editor does", async () => {
    const { client, finished } = aDebugger([buy, "--rpc-url", url]);
    await drive(client);
    await client.ask("disconnect");
    expect(await finished).toMatchObject({ code: 0, stderr: "" });
  });

  if (isSlow) {
    it("halts at a revert and at a write to storage", async () => {
      const { client } = aDebugger([await shop.call("steal", 3n), "--rpc-url", url]);
      await client.start([], ["failure", "storageWrite"]);
      await client.ask("continue", { threadId: 1 });
      expect(await client.event("stopped")).toMatchObject({ reason: "exception", text: "balance: 20 → 23" });
      await client.ask("continue", { threadId: 1 });
      expect(await client.event("stopped")).toMatchObject({
        reason: "exception",
        text: "panic: arithmetic underflow or overflow (0x11)",
      });
      expect(await lineAt(client)).toBe(lineOf("pay"));
    });
  }

  if (isSlow) {
    it("halts where a state variable is written, and there again on the way back", async () => {
      const { client } = aDebugger([buy, "--rpc-url", url]);
      await client.start();
      const { dataId } = await client.ask<{ dataId: string }>("dataBreakpointInfo", { name: "last", frameId: 1 });
      const { breakpoints } = await client.ask<{ breakpoints: object[] }>("setDataBreakpoints", {
        breakpoints: [{ dataId, accessType: "write" }],
      });
      expect(breakpoints).toEqual([{ verified: true }]);
      for (const [motion, then] of [
        ["continue", "next"],
        ["reverseContinue", "stepBack"],
      ] as const) {
        await client.ask(motion, { threadId: 1 });
        expect(await client.event("stopped")).toMatchObject({ reason: "data breakpoint", text: "last: 0 → 20" });
        expect(await lineAt(client)).toBe(lineOf("last"));
        expect(await client.go(then)).toBe("step");
      }
    });
  }

  if (isSlow) {
    it("opens the user's own files, and takes the build from a folder of artifacts", async () => {
      const folder = await aFolder();
      const node = await Shop.open("0.8.30-plain", { isKnown: false });
      const { url: other } = await node.node.listen({ port: 0 });
      const build = readShop("0.8.30-plain");
      const contract = build.output.contracts[PATH]?.Shop;
      for (const name of ["out/build-info", "src"]) mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, "out/Shop.json"), JSON.stringify({ abi: contract?.abi, ...contract?.evm }));
      writeFileSync(join(folder, "out/build-info/1.json"), JSON.stringify(build));
      writeFileSync(join(folder, PATH), SOURCE);
      const { client } = aDebugger([await node.call("close"), "--rpc-url", other, "--artifacts", "out"], folder);
      await client.start();
      const [frame] = await stackOf(client);
      expect(frame).toMatchObject({ name: "Shop.close", line: lineOf("close"), source: { path: join(folder, PATH) } });
      await node.node.close();
    });
  }

  it.runIf(isSlow)("serves several clients on a port", async () => {
    const command = aCommand(["debug", buy, "--rpc-url", url, "--port", "0"]);
    const port = await new Promise<number>((resolve) => {
      command.process.stderr?.on("data", (text: string) => resolve(Number(/:(\d+)\n/.exec(text)?.[1])));
    });
    // A page in a browser cannot ask anything: its request has the form of the protocol, but for its beginning.
    const page = connect(port, "127.0.0.1");
    const body = '{"seq":1,"type":"request","command":"initialize","arguments":{}}';
    page.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const received: Buffer[] = [];
    for await (const chunk of page) received.push(chunk as Buffer);
    expect(received).toEqual([]);
    const [one, two] = [aSocketClient(port), aSocketClient(port)];
    expect(await one.start()).toBe("entry");
    await one.go("next");
    expect(await two.start()).toBe("entry");
    expect([await lineAt(one), await lineAt(two)]).toEqual([lineOf("before"), lineOf("open")]);
    command.process.kill("SIGINT");
    expect((await command.finished).code).toBe(0);
  });
});

describe("a replay file", () => {
  let replay: Buffer | undefined;

  /** A file of the transaction, which is saved once. */
  async function aReplay(): Promise<string> {
    const file = join(await aFolder(), "buy.replay");
    if (replay === undefined) {
      const saved = await aCommand(["debug", buy, "--rpc-url", url, "--save-replay", file]).finished;
      expect(saved).toMatchObject({ code: 0, stderr: "" });
      expect(saved.stdout).toMatch(/^Wrote .*buy\.replay \(\d+ bytes\)/);
      replay = readFileSync(file);
    } else writeFileSync(file, replay);
    return file;
  }

  it("is debugged without the node, and shows the same", async () => {
    const file = await aReplay();
    expect(readFileSync(file).length).toBeLessThan(200_000);
    const { client } = aDebugger([file]);
    await drive(client);
    const [frame] = await stackOf(client);
    const { content } = await client.ask<{ content: string }>("source", { source: frame?.source });
    expect(content).toBe(SOURCE);
  });

  const DAMAGES: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ["cut", (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ["with other steps", (bytes: Buffer) => changed(bytes, (text) => text.replace(/"stepCount":\d+/, '"stepCount":7'))],
    ["without a code", (bytes: Buffer) => changed(bytes, (text) => text.replace(/"codes":\[.*?\]/, '"codes":[]'))],
    ["of another kind", () => gzipSync("[1, 2]")],
    ["that is not JSON", () => Buffer.from("hello")],
  ];

  it.each(sweep(DAMAGES, ([name]) => name === "cut"))(
    "%s is refused, in the editor and on the terminal",
    async (_, damage) => {
      const file = await aReplay();
      writeFileSync(file, damage(readFileSync(file)));
      await refused([file], /is not a replay file, or it is damaged/);
    },
  );

  if (isSlow) {
    it("that does not exist is refused with the system's reason", async () => {
      await refused(["nothing-here.json"], /Cannot read .*nothing-here\.json: .*no such file/);
    });
  }
});

const changed = (bytes: Buffer, change: (text: string) => string): Buffer =>
  gzipSync(change(gunzipSync(bytes).toString("utf8")));

/** The editor's `launch` fails with the reason, and the process ends with it. */
async function refused(args: readonly string[], reason: RegExp): Promise<void> {
  const { client, finished } = aDebugger(args);
  await client.ask("initialize", { adapterID: "hindcast" });
  const response = await client.request("launch");
  expect(response.success).toBe(false);
  expect(response.message).toMatch(reason);
  await client.ask("disconnect");
  const { code, stderr } = await finished;
  expect(code).toBe(1);
  expect(stderr).toMatch(reason);
}

describe("a wrong input is refused", () => {
  it.runIf(isSlow)("a hash that the node does not know", () =>
    refused([`0x${"12".repeat(32)}`, "--rpc-url", url], /The node http:\S+ answers: transaction .*not found/i),
  );

  if (isSlow) {
    it("no node at the URL", () =>
      refused([buy, "--rpc-url", "http://127.0.0.1:9"], /The node http:\S+ cannot be reached/));
  }

  const WRONG: readonly (readonly [string, RegExp])[] = [
    ["0x12", /is not the hash of a transaction/],
    ["--port", /argument missing/],
    [`0x${"12".repeat(32)} --rpc-url file:///etc`, /--rpc-url: expected a URL/],
    ["a.replay --save-replay b.replay", /--save-replay needs the hash/],
  ];

  it.each(sweep(WRONG, (_, index) => index === 0))("hindcast debug %s", async (args, reason) => {
    const { code, stderr } = await aCommand(["debug", ...args.split(" ")]).finished;
    expect(stderr).toMatch(reason);
    expect(code).toBe(2);
  });
});
