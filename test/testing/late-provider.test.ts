/** The provider of useHindcast keeps listeners from before its node as the node's own provider does. */
import { expect, it } from "vitest";
import { LateProvider } from "../../src/testing/late-provider.ts";
import { aNode } from "../support/a-node.ts";

const SUBSCRIBE = { method: "eth_subscribe", params: ["newHeads"] } as const;

it.each(["before", "after"])("removes a once listener by the listener it was given, attached %s", async (order) => {
  const node = await aNode();
  const late = new LateProvider();
  const heard: string[] = [];
  const first = (): void => void heard.push("removed");
  if (order === "after") late.attach(node.provider);
  late.once("message", first).once("message", () => heard.push("once"));
  late.on("message", () => heard.push("on")).off("message", first);
  if (order === "before") late.attach(node.provider);
  await late.request(SUBSCRIBE);
  await node.mine();
  await node.mine();
  expect(heard).toEqual(["once", "on", "on"]);
});
