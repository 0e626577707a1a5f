import { describe, expect, it } from "vitest";
import { type AccessOptions, createAccessRules, reportingRefusals } from "../../src/server/access.ts";

const rules = (options: Partial<AccessOptions> = {}) =>
  createAccessRules({ boundHost: "127.0.0.1", allowedHosts: [], allowedOrigins: [], ...options });

describe("Host", () => {
  it.each(["localhost", "localhost:8545", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8545", "[::1]", "[::1]:8545"])(
    "%s is allowed by default",
    (host) => expect(rules().isHostAllowed(host)).toBe(true),
  );

  it.each([
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil.example:8545",
    "10.0.0.5",
    "",
    "localhost@evil.example",
    "localhost:8545:1",
  ])("%j is refused by default", (host) => expect(rules().isHostAllowed(host)).toBe(false));

  it("is refused when it is missing, even where any would do", () => {
    expect(rules().isHostAllowed(undefined)).toBe(false);
    expect(rules({ allowedHosts: ["*"] }).isHostAllowed(undefined)).toBe(false);
  });

  it("is allowed when it is the bound host", () => {
    expect(rules({ boundHost: "chain.internal" }).isHostAllowed("chain.internal:8545")).toBe(true);
    expect(rules({ boundHost: "fd00::1" }).isHostAllowed("[fd00::1]:8545")).toBe(true);
  });

  it.each(["0.0.0.0", "::"])("may be any address, but no name, when %s is bound", (boundHost) => {
    const { isHostAllowed } = rules({ boundHost });
    expect(isHostAllowed("192.168.1.7:8545")).toBe(true);
    expect(isHostAllowed("[fd00::7]:8545")).toBe(true);
    expect(isHostAllowed("evil.example")).toBe(false);
  });

  it("is allowed when it is listed, also by a pattern", () => {
    const { isHostAllowed } = rules({ allowedHosts: ["node", "*.test"] });
    expect(isHostAllowed("node:8545")).toBe(true);
    expect(isHostAllowed("a.b.test")).toBe(true);
    expect(isHostAllowed("test")).toBe(false);
    expect(isHostAllowed("nodes")).toBe(false);
  });

  it("may be anything readable with *", () => {
    expect(rules({ allowedHosts: ["*"] }).isHostAllowed("evil.example:1")).toBe(true);
  });
});

describe("Origin", () => {
  it("is not needed: programs send none", () => expect(rules().isOriginAllowed(undefined)).toBe(true));

  it.each(["http://localhost:3000", "https://localhost", "http://127.0.0.1:5173", "http://[::1]:3000"])(
    "%s is allowed by default",
    (origin) => expect(rules().isOriginAllowed(origin)).toBe(true),
  );

  it.each([
    "https://evil.example",
    "http://localhost.evil.example",
    "http://localhost@evil.example",
    "null",
    "",
    "file://",
    "chrome-extension://abc",
  ])("%j is refused by default", (origin) => expect(rules().isOriginAllowed(origin)).toBe(false));

  it("is allowed when it is the address that was asked, under a name that is let in", () => {
    const { isOriginAllowed } = rules({ allowedHosts: ["node.test"] });
    expect(isOriginAllowed("http://node.test:8545", "node.test:8545")).toBe(true);
    expect(isOriginAllowed("http://node.test:3000", "node.test:8545")).toBe(false);
    expect(isOriginAllowed("https://node.test:8545", "node.test:8545")).toBe(false);
    expect(isOriginAllowed("http://node.test:8545")).toBe(false);
  });

  it("is no reason to be let in where every name is let in: a page on any site could have that one", () => {
    const { isOriginAllowed } = rules({ allowedHosts: ["*"] });
    expect(isOriginAllowed("http://evil.example:8545", "evil.example:8545")).toBe(false);
    expect(isOriginAllowed("http://127.0.0.1:8545", "127.0.0.1:8545")).toBe(true);
  });

  it("may be the node's own page where other pages on localhost are kept out", () => {
    const { isOriginAllowed } = rules({ allowsLocalOrigins: false });
    expect(isOriginAllowed("http://127.0.0.1:8545", "127.0.0.1:8545")).toBe(true);
    expect(isOriginAllowed("http://127.0.0.1:3000", "127.0.0.1:8545")).toBe(false);
  });

  it("is allowed when it is listed, as a whole", () => {
    const { isOriginAllowed } = rules({ allowedOrigins: ["https://app.example/", "chrome-extension://*"] });
    expect(isOriginAllowed("https://app.example")).toBe(true);
    expect(isOriginAllowed("https://app.example.evil")).toBe(false);
    expect(isOriginAllowed("http://app.example")).toBe(false);
    expect(isOriginAllowed("chrome-extension://abc")).toBe(true);
  });

  it("may be anything with *", () => expect(rules({ allowedOrigins: ["*"] }).isOriginAllowed("null")).toBe(true));
});

describe("refusals that are reported", () => {
  const reporting = () => {
    const reasons: string[] = [];
    return { reasons, access: reportingRefusals(rules(), (reason) => reasons.push(reason)) };
  };

  it("name each Host and each Origin once, with the flag that would allow it", () => {
    const { reasons, access } = reporting();
    const host = "evil.example";
    expect([access.isHostAllowed(host), access.isHostAllowed(host), access.isHostAllowed(undefined)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(access.isOriginAllowed(`https://${host}`, "localhost:8545")).toBe(false);
    expect(access.isOriginAllowed(`https://${host}`, "127.0.0.1:8545")).toBe(false);
    expect([access.isHostAllowed("localhost"), access.isOriginAllowed("http://localhost:3000", "localhost")]).toEqual([
      true,
      true,
    ]);
    expect(reasons).toEqual([
      "Host evil.example is not allowed; start with --allow-host to allow it.",
      "Host (none) is not allowed; start with --allow-host to allow it.",
      "Origin https://evil.example is not allowed; start with --allow-origin to allow it.",
    ]);
  });

  it("are a hundred at most, after which others are refused all the same", () => {
    const { reasons, access } = reporting();
    for (let index = 0; index < 150; index++) expect(access.isHostAllowed(`${index}.example`)).toBe(false);
    expect(reasons).toHaveLength(100);
    expect(reasons.at(-1)).toContain("Host 99.example ");
  });
});
