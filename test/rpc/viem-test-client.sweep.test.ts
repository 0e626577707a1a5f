import { createTestClient, http, publicActions, walletActions } from "viem";
import { foundry } from "viem/chains";
import { describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import { sweep } from "../support/seed.ts";
import { type Client, facts, type Mode } from "../support/test-client-facts.ts";

const MODES: readonly Mode[] = ["anvil", "hardhat", "ganache"];

async function aClient(mode: Mode, test: (client: Client) => Promise<void>): Promise<void> {
  await using node = await createNode();
  const { port } = await node.listen({ port: 0 });
  const transport = http(`http://127.0.0.1:${port}`, { retryCount: 0 });
  const client = createTestClient({ mode, chain: foundry, transport, pollingInterval: 20 });
  await test(client.extend(publicActions).extend(walletActions) as unknown as Client);
}

describe.concurrent.each(MODES)("viem's test client in the mode %s", (mode) => {
  // In default tests a fact is looked at in one of its modes.
  const chosen = sweep(facts, ({ modes = MODES }, index) => modes[index % modes.length] === mode);
  const inMode = chosen.filter(({ modes = MODES }) => modes.includes(mode));

  it.concurrent.each(inMode.map((fact) => [`${fact.action}: ${fact.says}`, fact] as const))(
    "%s",
    async (_name, fact) => {
      await aClient(mode, async (client) => {
        expect(await fact.observe(client)).toEqual(fact.expected);
      });
    },
  );
});

it("every action of the test client is among the facts", () => {
  const client = createTestClient({ mode: "anvil", chain: foundry, transport: http("http://127.0.0.1:9") });
  const actions = Object.entries(client)
    .filter(([name, value]) => typeof value === "function" && !["request", "extend"].includes(name))
    .map(([name]) => name)
    .sort();
  expect([...new Set(facts.map(({ action }) => action as string))].sort()).toEqual(actions);
});

it("the table of differences is that of the facts (vitest -u renews it)", async () => {
  const shown = (value: unknown): string =>
    `\`${typeof value === "string" ? value : JSON.stringify(value, (_key, entry) => (typeof entry === "bigint" ? Number(entry) : entry))}\``;
  const rows = facts.flatMap(({ action, says, expected, peers = {} }) =>
    Object.entries(peers).map(([peer, { observed, why }]) =>
      ["", `\`${action}\``, says, peer, shown(expected), shown(observed), why, ""].join(" | ").trim(),
    ),
  );
  const table = `# Where we keep our own answer

Each row is a fact about an action of viem's test client that the peer of a mode does not share. \`npm run test:peers\` checks
that the peer still answers what stands here: Anvil 1.7.1, Ganache 7.9.2; the rows of Hardhat are from the sources of EDR.

| Action | Fact | Peer | Ours | The peer's | Why |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
  await expect(table).toMatchFileSnapshot("../peers/differences.md");
});
