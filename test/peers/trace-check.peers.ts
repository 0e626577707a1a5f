/** The column of Anvil in docs/trace-formats.md, section 8: what Anvil 1.7.1 shows to `hindcast trace-check`. */
import { expect, it, onTestFinished } from "vitest";
import { runTraceCheck } from "../../src/cli/trace-check-command.ts";
import { anvilBinary, installPeers, startPeer } from "../support/peers.mjs";

it("Anvil 1.7.1 differs from its column in nothing but the methods that it lacks", async () => {
  const installed = await installPeers(["@foundry-rs/anvil@1.7.1"]);
  onTestFinished(() => installed.remove());
  const { url, stop } = await startPeer(anvilBinary(installed.folder), ["--port", "0", "--steps-tracing"]);
  onTestFinished(() => stop());
  const { text } = await runTraceCheck([url, "--write", "--client", "anvil"]);
  // As many points as are seen: methods that it lacks show none.
  const [, seen, agreed] = /: (\d+) seen\..*\banvil (\d+)[.,]/.exec(text) ?? [];
  expect(Number(seen)).toBeGreaterThanOrEqual(19);
  expect(agreed).toBe(seen);
  expect(text.split("\n").filter((line) => line.includes(", in anvil "))).toEqual([]);
  expect(text).toContain("\n  trace_call: the node does not have it");
});
