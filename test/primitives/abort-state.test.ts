import { expect, it, vi } from "vitest";
import { AbortSwitch } from "../../src/primitives/abort-state.ts";

it("a switch is aborted for the first reason, which its listeners hear once", () => {
  const state = new AbortSwitch();
  const listener = vi.fn();
  expect(state.isHeard).toBe(false);
  state.addEventListener("abort", listener);
  expect([state.aborted, state.isHeard]).toEqual([false, true]);
  state.abort(new Error("first"));
  state.abort(new Error("second"));
  expect(() => state.throwIfAborted()).toThrow("first");
  expect(state.reason).toMatchObject({ message: "first" });
  expect(listener).toHaveBeenCalledTimes(1);
});

it("a switch is aborted with the state that it follows, and not the other way round", () => {
  const followed = new AbortController();
  const state = new AbortSwitch(followed.signal);
  const listener = vi.fn();
  state.addEventListener("abort", listener);
  state.throwIfAborted();
  followed.abort(new Error("gone"));
  expect([state.aborted, state.reason]).toMatchObject([true, { message: "gone" }]);
  expect(() => state.throwIfAborted()).toThrow("gone");
  expect(listener).toHaveBeenCalledTimes(1);
  const other = new AbortController();
  new AbortSwitch(other.signal).abort(new Error("alone"));
  expect(other.signal.aborted).toBe(false);
});

it("a removed listener hears neither a switch nor the state that it follows", () => {
  const followed = new AbortController();
  const state = new AbortSwitch(followed.signal);
  const listener = vi.fn();
  state.addEventListener("abort", listener);
  state.removeEventListener("abort", listener);
  state.abort(new Error("one"));
  followed.abort(new Error("other"));
  expect(listener).not.toHaveBeenCalled();
});
