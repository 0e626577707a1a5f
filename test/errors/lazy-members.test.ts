import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { addLazyMembers } from "../../src/errors/lazy-members.ts";

/** An error with a stack of its own, and how often that was made. */
function anError(): { error: Error & { readonly reason?: string }; made: () => number } {
  const error = new Error("before");
  let times = 0;
  addLazyMembers(error, {
    reason: () => {
      times++;
      return "no balance";
    },
    message: () => "after",
  });
  return { error, made: () => times };
}

describe("lazy members", () => {
  it("are computed when they are first read, and once", () => {
    const { error, made } = anError();
    expect(made()).toBe(0);
    expect([error.reason, error.reason, error.message]).toEqual(["no balance", "no balance", "after"]);
    expect(made()).toBe(1);
  });

  it("are shown by inspect, and listed as others are", () => {
    const { error } = anError();
    expect(inspect(error)).toContain("reason: 'no balance'");
    expect(Object.keys(error)).toEqual(["reason"]);
  });

  it("may be replaced", () => {
    const { error, made } = anError();
    error.message = "given";
    expect(error.message).toBe("given");
    expect(made()).toBe(0);
  });
});
