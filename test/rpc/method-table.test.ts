import { expect, it } from "vitest";
import { commonMethods } from "../../src/rpc/common-methods.ts";
import { controlMethods } from "../../src/rpc/control-methods.ts";
import type { Method } from "../../src/rpc/method.ts";
import { MethodTable } from "../../src/rpc/method-table.ts";

const named = (name: string): Method => ({ name }) as Method;

/** A table that notes what it loads. */
function aTable(): { readonly table: MethodTable; readonly loads: string[] } {
  const loads: string[] = [];
  const load = (what: string, methods: readonly Method[]) => async () => {
    loads.push(what);
    return methods;
  };
  const [common, control, rare] = [named("eth_call"), named("evm_snapshot"), named("debug_traceCall")];
  const table = new MethodTable({
    common: [common],
    loadControl: load("control", [control]),
    load: load("all", [common, control, rare]),
  });
  return { table, loads };
}

it("finds a common method without a load", () => {
  const { table, loads } = aTable();
  expect(table.find("eth_call")).toMatchObject({ name: "eth_call" });
  expect(loads).toEqual([]);
});

it("loads the other methods only if those of tests have none of that name", async () => {
  const { table, loads } = aTable();
  expect(await table.find("evm_snapshot")).toMatchObject({ name: "evm_snapshot" });
  expect(loads).toEqual(["control"]);
  expect(await table.find("debug_traceCall")).toMatchObject({ name: "debug_traceCall" });
  expect(await table.find("nothing")).toBeUndefined();
  expect(table.find("eth_call")).toMatchObject({ name: "eth_call" });
  expect(loads).toEqual(["control", "all"]);
});

it("keeps all methods that were loaded while those of tests were", async () => {
  const { table } = aTable();
  const found = table.find("evm_snapshot");
  await table.all();
  expect(await found).toMatchObject({ name: "evm_snapshot" });
  expect(await table.find("debug_traceCall")).toMatchObject({ name: "debug_traceCall" });
});

it("has the snapshots that tests begin with without a load, and times and edits with the first", () => {
  const [common, control] = [commonMethods, controlMethods].map((methods) => methods.map(({ name }) => name));
  expect(common).toEqual(expect.arrayContaining(["evm_snapshot", "evm_revert"]));
  expect(control).toEqual(expect.arrayContaining(["evm_mine", "evm_increaseTime", "hardhat_setBalance"]));
});
