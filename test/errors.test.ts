/** The catalogue of errors against the sources that throw them and the papers that list them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type CatalogueEntry, catalogue, type ErrorCode } from "../src/errors/catalogue.ts";
import * as errors from "../src/errors/hindcast-error.ts";

const source = fileURLToPath(new URL("../src/", import.meta.url));
const codes = Object.keys(catalogue) as ErrorCode[];

/** All of src/ but the catalogue itself. */
const thrower = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && entry.name !== "catalogue.ts")
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
  .join("\n");

const list = readFileSync(new URL("../docs/errors.md", import.meta.url), "utf8");

describe("every error", () => {
  it.each(codes)("%s is raised somewhere", (code) => {
    // As a literal: `code: "X"`, or handed on to what throws it.
    expect(thrower.includes(`"${code}"`)).toBe(true);
  });

  it.each(codes)("%s is listed in docs/errors.md with its JSON-RPC number", (code) => {
    const row = list.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${code}\``));
    expect(row).toBeDefined();
    expect(row).toContain(`| ${catalogue[code].rpcCode} |`);
  });

  it("has a family with a class of that name", () => {
    const families = new Set(Object.values(catalogue).map((entry) => entry.family));
    for (const family of families) expect(errors).toHaveProperty(`${family}Error`);
  });

  it("has a code in capitals, in the shape that callers switch on", () => {
    for (const code of codes) expect(code).toMatch(/^[A-Z]+(?:_[A-Z0-9]+)*$/);
  });

  it("carries an integer that JSON-RPC allows", () => {
    for (const entry of Object.values<CatalogueEntry>(catalogue)) {
      expect(Number.isInteger(entry.rpcCode)).toBe(true);
      expect(entry.rpcCode > 0 || (entry.rpcCode <= -32_000 && entry.rpcCode >= -39_000)).toBe(true);
    }
  });
});

/** Errors of bounds without a number that is known where they are thrown, and one whose answer execution-apis records without data. */
const UNNUMBERED = [
  "The transaction has more steps than can be recorded",
  "The tracer took longer than the time limit",
  "too many blocks",
  "There is no memory for another execution",
];

it("an error of a bound names it as data, unless it is an abort", () => {
  const thrown = thrower.match(/new LimitError\(\{[\s\S]*?\}\)(?=[;,\n])/g) ?? [];
  expect(thrown.length).toBeGreaterThan(25);
  const without = thrown.filter((text) => !/\bdata\b|\.\.\.more\b/.test(text) && !text.includes("EXECUTION_ABORTED"));
  expect(without.filter((text) => !UNNUMBERED.some((known) => text.includes(known)))).toEqual([]);
});

describe("an error's text", () => {
  it("has at most 10,000 characters, whatever a client has sent", () => {
    const sent = "x".repeat(5_000_000);
    const error = new errors.InvalidParamsError({
      code: "INVALID_PARAMS",
      what: `params: got ${sent}.`,
      where: sent,
      fix: sent,
    });
    for (const text of [error.message, error.what, error.rpcMessage]) {
      expect(text.length).toBe(10_001);
      expect(text.endsWith("…")).toBe(true);
    }
    expect(error.inWords({ message: sent }).rpcMessage.length).toBe(10_001);
  });

  it("joins what, where and how to fix, and is the bare first part where a client compares the whole text", () => {
    const details = { what: "What.", where: "Where.", fix: "Fix." };
    const full = new errors.NotFoundError({ code: "BLOCK_NOT_FOUND", ...details });
    expect(full.message).toBe("What. Where. Fix.");
    expect(full.rpcMessage).toBe("What. Where. Fix.");
    expect(full.rpcData).toBeUndefined();
    const exact = new errors.NotFoundError({ code: "HEADER_NOT_FOUND", ...details });
    expect(exact.message).toBe("What. Where. Fix.");
    expect(exact.rpcMessage).toBe("What.");
    expect(exact.rpcData).toEqual({ hint: "Where. Fix." });
    expect(new errors.NotFoundError({ code: "HEADER_NOT_FOUND", ...details, data: 1 }).rpcData).toBe(1);
    expect(new errors.NotFoundError({ code: "HEADER_NOT_FOUND", what: "What." }).rpcData).toBeUndefined();
  });

  it("takes how to fix it from the catalogue where whoever throws it does not say", () => {
    const { fix } = catalogue.NONCE_TOO_LOW;
    const error = new errors.TransactionRejectedError({ code: "NONCE_TOO_LOW", what: "nonce too low" });
    expect(error.rpcMessage).toBe(`nonce too low. ${fix}`);
    const own = new errors.TransactionRejectedError({ code: "NONCE_TOO_LOW", what: "nonce too low", fix: "Wait." });
    expect(own.rpcMessage).toBe("nonce too low. Wait.");
  });

  it("has a full stop behind another client's words only where something follows", () => {
    const short = { code: "TRANSACTION_NOT_FOUND", what: "transaction not found" } as const;
    expect(new errors.NotFoundError(short).message).toBe("transaction not found");
    const message = "transaction not found. Only mined ones can be replayed.";
    expect(new errors.NotFoundError({ ...short, fix: "Only mined ones can be replayed." }).rpcMessage).toBe(message);
  });
});
