/** A reader that is away for long. */
import { expect, it } from "vitest";
import { ALICE, BOB } from "../../support/a-node.ts";
import { aWire } from "./a-wire.ts";
import { allTheSame } from "./same-answers.ts";
import { aReader, ask, aWriter, caughtUp } from "./shared-nodes.ts";

const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };

it("a reader that was away for longer than the writer keeps entries begins from a base", async () => {
  const { node: writer, port } = await aWriter();
  const wire = await aWire();
  wire.to(port);
  const reader = await aReader(wire.url);
  const filter = await ask(reader, "eth_newFilter", {});
  await ask(writer, "anvil_mine", "0x3");
  await caughtUp(reader, writer);
  wire.cut();
  await ask(writer, "anvil_rollback", 2);
  // More than the 10,000 entries that are kept, for the price of none: each changes one balance.
  for (let count = 0; count < 10_050; count++) await ask(writer, "anvil_setBalance", BOB, "0x1");
  await ask(writer, "eth_sendTransaction", TRANSFER);
  wire.to(port);
  await allTheSame(reader, writer);
  expect(await ask(reader, "eth_blockNumber")).toBe("0x2");
  expect(await ask(reader, "eth_getFilterChanges", filter)).toEqual([]);
}, 60_000);
