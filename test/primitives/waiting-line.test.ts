import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WaitingLine } from "../../src/primitives/waiting-line.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const patient = (): void => undefined;

describe("a waiting line", () => {
  it("gives in the order in which callers came, but for those who may pass", async () => {
    const line = new WaitingLine<string, string>();
    const joined = [line.join("a", patient), line.join("b", patient), line.join("first", patient, true)];
    const served: string[] = [];
    line.serve((wanted) => {
      served.push(wanted);
      return `for ${wanted}`;
    });
    expect(served).toEqual(["first", "a", "b"]);
    expect(await Promise.all(joined)).toEqual(["for a", "for b", "for first"]);
    expect([line.length, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("keeps the places of those for whom nothing is left", async () => {
    const line = new WaitingLine<string, number>();
    const [a, b] = [line.join("a", patient), line.join("b", patient)];
    const left = [1];
    line.serve(() => left.shift());
    expect(await a).toBe(1);
    expect(line.length).toBe(1);
    line.serve(() => 2);
    expect(await b).toBe(2);
  });

  it("rejects who no longer wants to wait, at the next check or when it is its turn", async () => {
    const line = new WaitingLine<string, number>();
    let isOver = false;
    const check = (): void => {
      if (isOver) throw new Error("over");
    };
    const impatient = expect(line.join("a", check)).rejects.toThrow("over");
    const other = line.join("b", patient);
    vi.advanceTimersByTime(100);
    expect(line.length).toBe(2);
    isOver = true;
    vi.advanceTimersByTime(20);
    await impatient;
    const late = expect(line.join("c", check, true)).rejects.toThrow("over");
    line.serve(() => 3);
    await late;
    expect(await other).toBe(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("hands the error of giving to the one whose turn it is, and goes on", async () => {
    const line = new WaitingLine<string, number>();
    const failed = expect(line.join("a", patient)).rejects.toThrow("no a");
    const other = line.join("b", patient);
    line.serve((wanted) => {
      if (wanted === "a") throw new Error("no a");
      return 4;
    });
    await failed;
    expect(await other).toBe(4);
  });

  it("can reject all", async () => {
    const line = new WaitingLine<string, number>();
    const all = [line.join("a", patient), line.join("b", patient)].map((each) => expect(each).rejects.toBe("closed"));
    line.rejectAll("closed");
    await Promise.all(all);
    expect([line.length, vi.getTimerCount()]).toEqual([0, 0]);
  });
});
