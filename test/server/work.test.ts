import { expect, it } from "vitest";
import { Work } from "../../src/server/work.ts";

it("a request tells its listeners once that it is aborted, and none that come later", () => {
  const work = new Work("standard");
  const heard: string[] = [];
  work.addEventListener("abort", () => heard.push("early"));
  work.abort(new Error("first"));
  work.addEventListener("abort", () => heard.push("late"));
  work.abort(new Error("second"));
  expect([heard, work.aborted, work.reason]).toEqual([["early"], true, new Error("first")]);
  expect(() => work.throwIfAborted()).toThrow("first");
});

it("a request that is aborted before anybody listens tells none of those that come later", () => {
  const work = new Work("standard");
  work.abort(new Error("first"));
  let heard = 0;
  work.addEventListener("abort", () => heard++);
  work.abort(new Error("second"));
  expect([heard, work.reason]).toEqual([0, new Error("first")]);
});
