/** Observes readers of the chain. */
import { vi } from "vitest";
import { Chain } from "../../src/chain/chain.ts";

/** Ends of the readings that begin from now on, until mocks are restored. */
export function watchReadings(): Promise<unknown>[] {
  const readings: Promise<unknown>[] = [];
  const reading = Chain.prototype.reading;
  vi.spyOn(Chain.prototype, "reading").mockImplementation(function <T>(this: Chain, task: () => Promise<T>) {
    const read = reading.call(this, task) as Promise<T>;
    readings.push(read);
    read.catch(() => {});
    return read;
  });
  return readings;
}
