/** Answers of documented examples from another platform, whose gzip may write other bytes for the same content. */
import { gunzipSync } from "node:zlib";

/** The answers, with what is gzipped as the digits of its content. */
export function unpackedAnswers(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" && value.startsWith("0x1f8b")
        ? gunzipSync(Buffer.from(value.slice(2), "hex")).toString("hex")
        : value,
    ]),
  );
}
