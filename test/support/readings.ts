/** Observes readers of the chain. */
import { vi } from "vitest";
import { Readers } from "../../src/chain/write/readers.ts";

/** Ends of the readings that begin from now on, until mocks are restored. */
export function watchReadings(): Promise<unknown>[] {
  const readings: Promise<unknown>[] = [];
  const reading = Readers.prototype.reading;
  vi.spyOn(Readers.prototype, "reading").mockImplementation(function <T>(this: Readers, task: () => Promise<T>) {
    const read = reading.call(this, task) as Promise<T>;
    readings.push(read);
    read.catch(() => {});
    return read;
  });
  return readings;
}
