/**
 * Tracers that try to get out, to stay forever or to take everything: the node refuses them and answers the next one.
 * Each takes a sandbox of its own: the default tests try some of each kind, the slow ones all.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, openNode, type RpcFailure, type ServedNode, serve } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { isSlow } from "../../../support/seed.ts";

const TARGET = addressText(0xbb);

/** Of each kind of attack, those to try. */
export type Pick = <T>(rows: readonly T[]) => readonly T[];

let served: ServedNode;
const params = (tracer: string) => [
  { from: ALICE, to: TARGET, gas: "0x30d40" },
  "latest",
  { tracer, stateOverrides: { [TARGET]: { code: encodeData(assemble("1 2 ADD POP")) } } },
];
const trace = <T>(tracer: string): Promise<T> => served.plain.ask("debug_traceCall", ...params(tracer));
/** Refusal of a tracer. */
const refusal = (tracer: string): Promise<RpcFailure> => served.plain.failure("debug_traceCall", ...params(tracer));
/** After what was tried before, the node answers as ever. */
const answersAfterwards = () =>
  it("and the node answers afterwards", async () => {
    expect(await trace("{fault: function() {}, result: function() { return 'alive'; }}")).toBe("alive");
    expect(await served.plain.ask("eth_blockNumber")).toBe("0x0");
  });
/** A tracer whose result is an expression. */
const giving = (expression: string, more = ""): string =>
  `{${more} fault: function() {}, result: function(ctx, db) { return ${expression}; }}`;
/** A tracer whose step runs a statement. */
const stepping = (statement: string): string =>
  `{seen: null, step: function(log, db) { ${statement} }, fault: function() {}, result: function() { return this.seen; }}`;

/** Opens the node, tries the attacks and closes it. */
export function sandboxSuite(pick: Pick): void {
  beforeAll(async () => {
    served = await serve(await openNode());
  });
  afterAll(() => served.node.close());
  findsNothing();
  cannotStay(pick);
  cannotTakeAll(pick);
  saysHowItFails(pick);
  givesItsResult();
}

function findsNothing(): void {
  describe("a tracer finds nothing of the process", () => {
    const NAMES = [
      "process",
      "require",
      "module",
      "global",
      "Buffer",
      "fetch",
      "setTimeout",
      "console",
      "WebAssembly",
      "host",
    ];
    it("under any name", async () => {
      const types = NAMES.map((name) => `typeof ${name}, typeof globalThis["${name}"]`);
      expect(new Set(await trace<string[]>(giving(`[${types.join()}]`)))).toEqual(new Set(["undefined"]));
    });

    it("through any constructor", async () => {
      const paths = [
        "self.constructor.constructor",
        "ctx.constructor.constructor",
        "db.getBalance.constructor",
        "toHex.constructor",
        "bigInt.one.constructor.constructor",
        "Object.getPrototypeOf(async function() {}).constructor",
        "(function() { try { slice([], 0, 9); } catch (problem) { return problem.constructor.constructor; } })()",
        "(function() { try { db.getBalance('x'); } catch (problem) { return problem.constructor.constructor; } })()",
        "(function() { try { toContract([1], {}); bigInt(1).shiftLeft('x'); } catch (e) { return e.constructor.constructor; } })()",
      ];
      const tried = paths.map(
        (path) =>
          `(function(self) { try { return String((${path})("return process")()); } catch (e) { return e.name; } })(this)`,
      );
      const found = await trace<string[]>(giving(`[${tried.join()}]`));
      expect(found).toHaveLength(paths.length);
      for (const one of found) expect(one).toMatch(/^(?:ReferenceError|\[object Promise\])$/);
    });

    it("in the global object of its functions", async () => {
      const globals = await trace<string[]>(giving("Object.getOwnPropertyNames(Function('return this')())"));
      const known = new Set(Object.getOwnPropertyNames(globalThis));
      const own = ["bigInt", "toHex", "toWord", "toAddress", "toContract", "toContract2", "isPrecompiled", "slice"];
      expect(globals.filter((name) => !known.has(name)).sort()).toEqual(expect.arrayContaining(own.sort()));
      expect(globals).not.toContain("process");
      for (const name of globals.filter((name) => !known.has(name) && !own.includes(name))) {
        // Newer parts of the language itself.
        expect(name).toMatch(/^(?:[A-Z]\w*|__date_clock|gc|scriptArgs|print)$/);
      }
    });

    it("by importing", async () => {
      expect(await trace(giving("String(import('node:fs'))"))).toBe("[object Promise]");
      expect((await refusal("import fs from 'node:fs'")).code).toBe(-32000);
    });

    it("and what it changes in its world is gone with it", async () => {
      await trace(
        giving(
          "(Object.prototype.left = 1, Array.prototype.push = null, globalThis.leftToo = 1, JSON.stringify = null, 1)",
        ),
      );
      expect(await trace(giving("[typeof {}.left, typeof leftToo, typeof [].push]"))).toEqual([
        "undefined",
        "undefined",
        "function",
      ]);
      expect(({} as Record<string, unknown>).left).toBeUndefined();
    });
  });
}

function cannotStay(pick: Pick): void {
  describe("a tracer that runs forever is stopped", () => {
    const LOOP = "for (;;) {}";
    it.each(
      pick([
        ["in step", stepping(LOOP)],
        ["when it is defined", `(function() { ${LOOP} })()`],
        ["in setup", giving("1", `setup: function() { ${LOOP} },`)],
        ["in a catch", stepping(`for (;;) { try { ${LOOP} } catch (problem) {} }`)],
        ["in what a step throws", stepping(`throw { get message() { ${LOOP} } }`)],
        ["in a regular expression", stepping('/(a+)+$/.test("a".repeat(60) + "b");')],
        ["in a proxy", stepping(`new Proxy({}, { get() { ${LOOP} } }).x`)],
      ]),
    )("%s", async (_where, tracer) => {
      const failure = await refusal(tracer);
      expect(failure.message).toMatch(/ran longer than 250 ms|in server-side tracer function/);
      expect([-32005, -32000]).toContain(failure.code);
    });

    it("says which function and which limit", async () => {
      const failure = await refusal(stepping(LOOP));
      expect(failure.code).toBe(-32005);
      expect(failure.message).toMatch(/^The tracer's function step ran longer than 250 ms\./);
    });

    it("in the built-ins that nothing interrupts", async () => {
      const runs = [
        ["walks an array of holes", "var a = []; a.length = 4294967295; a.indexOf(1)"],
        [
          "walks what claims to be one",
          "Array.prototype.every.call({length: 9007199254740991}, function() { return true; })",
        ],
        ["iterates over one", "var a = []; a.length = 4294967295; new Set(a)"],
        ["flattens one", "var a = []; a.length = 4294967295; [a].flat()"],
        ["joins raw strings", "String.raw({raw: {length: 9007199254740991}})"],
        [
          "searches for half of a long text in it",
          "var t = 'a'.repeat(10000000); t.indexOf('a'.repeat(5000000) + 'b')",
        ],
      ].map(
        ([, run]) => `(function() { try { ${run}; return "done"; } catch (problem) { return String(problem); } })()`,
      );
      const found = await trace<string[]>(giving(`[${runs.join()}]`));
      expect(found).toHaveLength(6);
      for (const one of found) expect(one).toMatch(/^RangeError: too much for one call of /);
    });

    answersAfterwards();
  });
}

function cannotTakeAll(pick: Pick): void {
  describe("a tracer that wants everything gets an error", () => {
    it.each(
      pick([
        ["a buffer of 1 GB", "this.seen = new ArrayBuffer(1073741824)"],
        ["many buffers", "this.seen = []; for (;;) this.seen.push(new Uint8Array(16777216))"],
      ]),
    )("%s", async (_what, statement) => {
      const failure = await refusal(stepping(statement));
      expect(failure.code).toBe(-32005);
      // A busy machine may take longer to fill the memory than a function may take.
      expect(failure.message).toMatch(/^The tracer('s function step ran longer| asked for more than 134217728 bytes)/);
    });

    it.each(
      pick([
        ["an array of 1 GB", "this.seen = new Array(134217728).fill(0)"],
        ["an array of 1 GB, item by item", "this.seen = []; for (;;) this.seen.push([])"],
        ["a text of 1 GB", "this.seen = 'x'.repeat(1073741824)"],
        ["a text that doubles", "var text = 'ab'; for (;;) text += text"],
        ["a number that squares", "var n = 3n; for (;;) n *= n"],
        ["endless recursion", "(function again() { again(); })()"],
        [
          "memory beyond the machine's",
          "log.memory.slice({ valueOf: function() { return 0; } }, { toString: function() { return '4e9'; }, valueOf: function() { return 5; } }); throw 1",
        ],
      ]),
    )("%s", async (_what, statement) => {
      expect([-32000, -32005]).toContain((await refusal(stepping(statement))).code);
    });

    answersAfterwards();
  });
}

function saysHowItFails(pick: Pick): void {
  describe("a tracer that fails says how", () => {
    it.each(
      pick([
        ["throws an error", "throw new Error('no')", "Error: no"],
        [
          "throws an error of its own",
          "class Odd extends Error { get name() { return 'Odd'; } } throw new Odd('no')",
          "Odd: no",
        ],
        ["throws a text", "throw 'no'", "no"],
        ["throws nothing", "throw null", "null"],
        ["throws undefined", "throw undefined", "undefined"],
        ["throws an object", "throw {a: 1}", '{"a":1}'],
        ["calls what is no function", "log.nothing()", "TypeError: not a function"],
        ["names what is not there", "nowhere", "ReferenceError: 'nowhere' is not defined"],
      ]),
    )("when it %s", async (_what, statement, text) => {
      const failure = await refusal(stepping(statement));
      expect(failure.message).toBe(`${text}    in server-side tracer function 'step'`);
      expect(failure.code).toBe(-32000);
    });

    it("also when reading what it threw fails", async () => {
      expect((await refusal(stepping("throw { get message() { throw 1; } }"))).code).toBe(-32000);
      expect((await refusal(stepping("throw new Proxy({}, { get: function() { throw 1; } })"))).code).toBe(-32000);
    });

    it.each(
      pick([
        ["{", /^SyntaxError: /],
        ["{result: function() { return 1 +; }}", /^SyntaxError: /],
        [") (", /^SyntaxError: /],
        ["(42)", /^trace object must be an object/],
        ["(null)", /^trace object must be an object/],
      ]),
    )("when its code is %s", async (tracer, message) => {
      const failure = await refusal(tracer);
      expect(failure.message).toMatch(message);
      expect(failure.code).toBe(-32000);
    });

    it.each(["nothing", "42", "null", "callTracr"])("when %s is neither a tracer's name nor code", async (tracer) => {
      const failure = await refusal(tracer);
      expect(failure.message).toMatch(/^params\[2\]\.tracer: expected one of callTracer, /);
      expect(failure.code).toBe(-32602);
    });

    answersAfterwards();
  });
}

function givesItsResult(): void {
  describe("the result of a tracer", () => {
    it("is what JSON makes of it, getters and toJSON included", async () => {
      expect(
        await trace(
          giving(
            "{ get five() { return 5; }, when: { toJSON: function() { return 'now'; } }, none: undefined, big: 2n ** 70n, " +
              "nan: NaN, text: 'a\\u0000b\\ud800', list: [undefined, function() {}] }",
          ),
        ),
      ).toEqual({
        five: 5,
        when: "now",
        big: String(2n ** 70n),
        nan: null,
        text: "a\u0000b\ud800",
        list: [null, null],
      });
      expect(await trace(giving("undefined"))).toBeNull();
      expect(await trace(giving("function() {}"))).toBeNull();
    });

    it("fails with the getter that fails, and with what turns in a circle", async () => {
      expect((await refusal(giving("{ get bad() { throw new Error('bad'); } }"))).message).toBe(
        "Error: bad    in server-side tracer function 'result'",
      );
      expect((await refusal(giving("(function() { var o = {}; o.o = o; return o; })()"))).message).toMatch(
        /^TypeError: circular/,
      );
    });

    it("may be deep, and fails where it is too deep", async () => {
      const nested = (depth: number) =>
        giving(`(function() { var list = []; for (var i = 1; i < ${depth}; i++) list = [list]; return list; })()`);
      let depth = 0;
      for (let list = await trace<unknown>(nested(200)); Array.isArray(list); list = list[0]) depth++;
      expect(depth).toBe(200);
      for (const tooDeep of isSlow ? [3_000, 50_000] : [3_000]) {
        const failure = await served.plain
          .failure("debug_traceCall", ...params(nested(tooDeep)))
          .catch(() => undefined);
        if (failure !== undefined) expect([-32000, -32005]).toContain(failure.code);
      }
      expect(await trace(giving("'alive'"))).toBe("alive");
    });

    it("keeps names that mean something elsewhere", async () => {
      expect(await trace(giving('JSON.parse(\'{"__proto__": {"x": 1}, "constructor": 2}\')'))).toEqual(
        JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'),
      );
    });

    answersAfterwards();
  });
}
