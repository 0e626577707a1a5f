/** Clients of the port of `hindcast debug` that do not speak its protocol, and sources that replay files name. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { locateIn } from "../../../src/cli/debug/locate-file.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, aServedNode, BOB } from "../../support/a-node.ts";
import { aRun } from "../a-run.ts";

const framed = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const request = (command: string, args: unknown): string =>
  framed(JSON.stringify({ seq: 1, type: "request", command, arguments: args }));

/** `hindcast debug` on a free port. */
async function aPort(): Promise<{ port: number; stderr: () => string }> {
  const { plain } = await aServedNode();
  await plain.ask("anvil_setCode", BOB, "0x600160005500");
  const hash = await plain.ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" });
  const run = aRun(["debug", String(hash), "--rpc-url", plain.url, "--port", "0"]);
  await expect.poll(run.stderr).toMatch(/127\.0\.0\.1:\d+\n/);
  return { port: Number(/127\.0\.0\.1:(\d+)\n/.exec(run.stderr())?.[1]), stderr: run.stderr };
}

function aClient(port: number): { socket: Socket; received: () => string } {
  let text = "";
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.on("data", (chunk) => {
    text += chunk;
  });
  return { socket, received: () => text };
}

describe("a client of the debugger's port", () => {
  it.each<[what: string, bytes: string]>([
    ["what is no protocol", "\u0000\u0001\u0002".repeat(1_000)],
    ["a length that is no number", "Content-Length: many\r\n\r\n{}"],
    ["a length below zero", "Content-Length: -5\r\n\r\n{}"],
    ["a length without an end", "Content-Length: 99999999999999999999\r\n\r\n{"],
    ["a body that is no JSON", framed("hello")],
    ["a body that is no request", `${framed("null")}${framed("[]")}${framed("7")}${framed("{}")}`],
    ["a request without arguments", request("setBreakpoints", null)],
    ["arguments of other types", request("setBreakpoints", { source: 5, breakpoints: "x" })],
    ["deeply nested arguments", framed("[".repeat(100_000))],
    ["numbers out of range", request("variables", { variablesReference: -1e308 })],
    ["a command of an object's own", request("constructor", {}) + request("__proto__", {}) + request("toString", {})],
  ])("that sends %s harms no other", async (_what, bytes) => {
    const { port } = await aPort();
    const hostile = aClient(port);
    hostile.socket.write(bytes);
    const cut = aClient(port);
    cut.socket.write(request("initialize", {}), () => cut.socket.resetAndDestroy());
    const honest = aClient(port);
    honest.socket.write(request("initialize", {}) + request("launch", {}));
    await expect.poll(honest.received).toMatch(/"command":"initialize","success":true/);
    await expect.poll(honest.received).toMatch(/"command":"launch","success":true/);
    for (const { socket } of [hostile, honest]) socket.destroy();
  });
});

describe("a source of a replay file", () => {
  it("is opened if it is below the folder and has the compiled text", async () => {
    const [root, outside] = [await aFolder(), await aFolder()];
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "src", "A.sol"), "contract A {}");
    writeFileSync(join(outside, "secret.sol"), "contract A {}");
    const locate = locateIn(root);
    expect(await locate("src/A.sol", "contract A {}")).toBe(join(root, "src", "A.sol"));
    expect(await locate("project/src/A.sol", "contract A {}")).toBe(join(root, "src", "A.sol"));
    expect(await locate("src/A.sol", "contract B {}")).toBeUndefined();
    for (const path of [
      `../${outside.split("/").at(-1)}/secret.sol`,
      join(outside, "secret.sol"),
      "..",
      ".",
      "",
      "\0",
    ]) {
      expect(await locate(path, "contract A {}"), path).toBeUndefined();
    }
  });

  it.skipIf(process.platform === "win32")("that is a device without an end is not read", async () => {
    const root = await aFolder();
    symlinkSync("/dev/zero", join(root, "A.sol"));
    expect(await locateIn(root)("A.sol", "")).toBeUndefined();
  });
});
