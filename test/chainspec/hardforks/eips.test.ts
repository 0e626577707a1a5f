/** The table of EIPs against EthereumJS' own, and what the core makes of it. */
import { describe, expect, it } from "vitest";
import { EIPS, type Eip, hardforkOf, hasEip } from "../../../src/chainspec/hardforks/eips.ts";
import { HARDFORKS, type Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import { rulesOf } from "../../../src/chainspec/hardforks/rules.ts";
import * as CoreEips from "../../../src/engines/wasm/core/machine/eips.ts";
import { rulesOf as coreRulesOf } from "../../../src/engines/wasm/core-rules.ts";
import { ethereumjsCommon } from "../../support/ethereumjs-common.ts";
import { REFERENCE_HARDFORKS, spec } from "../../support/evm.ts";

const eipsOf = (hardfork: Hardfork): readonly Eip[] => EIPS.filter((eip) => hasEip(hardfork, eip));
const addedBy = (hardfork: Hardfork): readonly Eip[] => EIPS.filter((eip) => hardforkOf(eip) === hardfork);

/** The EIPs of each hardfork before Berlin, as its meta EIP lists them: EIP-606, 608, 607, 609, 1013, 1716, 1679, and 2387. */
const BEFORE_BERLIN: readonly (readonly [Hardfork, readonly Eip[]])[] = [
  ["homestead", [2, 7]],
  ["tangerineWhistle", [150]],
  ["spuriousDragon", [155, 160, 161, 170]],
  ["byzantium", [100, 140, 196, 197, 198, 211, 214, 649, 658]],
  ["constantinople", [145, 1014, 1052, 1234, 1283]],
  ["petersburg", []],
  ["istanbul", [152, 1108, 1344, 1884, 2028, 2200]],
  ["muirGlacier", [2384]],
];

it.each(BEFORE_BERLIN)("%s brings the EIPs of its meta EIP", (hardfork, eips) => {
  expect(addedBy(hardfork)).toEqual(eips);
});

/** EIPs that EthereumJS has no name for. */
const UNNAMED: readonly Eip[] = [3554, 7610, 7934];

it.each(REFERENCE_HARDFORKS.filter((name) => hasEip(name, 2929)))(
  "%s has the EIPs since Berlin that EthereumJS gives it",
  (hardfork) => {
    const common = ethereumjsCommon(spec, hardfork);
    const named = EIPS.filter((eip) => hasEip(hardforkOf(eip), 2929) && !UNNAMED.includes(eip));
    expect(named.filter((eip) => hasEip(hardfork, eip))).toEqual(named.filter((eip) => common.isActivatedEIP(eip)));
  },
);

describe("an EIP that a hardfork takes out", () => {
  it("was net metering of SSTORE, which only Constantinople had", () => {
    expect(HARDFORKS.filter((name) => hasEip(name, 1283))).toEqual(["constantinople"]);
  });

  it("is the rule of creations at addresses with storage, which is in force up to Amsterdam", () => {
    const amsterdam = HARDFORKS.indexOf("amsterdam");
    expect(HARDFORKS.filter((name) => !hasEip(name, 7610))).toEqual(HARDFORKS.slice(amsterdam));
  });
});

it.each(HARDFORKS)("%s has all of EIPs 2780, 8037 and 8038, which presuppose one another, or none", (hardfork) => {
  const together: readonly Eip[] = [2780, 8037, 8038];
  expect([[], together]).toContainEqual(together.filter((eip) => hasEip(hardfork, eip)));
});

it.each(HARDFORKS)("the rules of %s have its EIPs", (hardfork) => {
  const rules = rulesOf(hardfork);
  expect(EIPS.filter((eip) => rules.has(eip))).toEqual(eipsOf(hardfork));
});

describe("the core", () => {
  const bits = Object.entries(CoreEips).map(([name, bit]) => ({ eip: Number(name.replace("EIP_", "")), bit }));

  it("has a bit of its own for each EIP that it asks for, and asks for EIPs of the table", () => {
    expect(bits.filter(({ eip }) => !(EIPS as readonly number[]).includes(eip))).toEqual([]);
    const sorted = bits.map(({ bit }) => bit).sort((left, right) => left - right);
    expect(sorted).toEqual(bits.map((_, index) => 2 ** index));
  });

  it.each(HARDFORKS)("is given the EIPs of %s", (hardfork) => {
    const given = bits.filter(({ bit }) => (coreRulesOf(hardfork) & bit) !== 0).map(({ eip }) => eip);
    expect(given.sort((left, right) => left - right)).toEqual(
      eipsOf(hardfork).filter((eip) => bits.some((known) => known.eip === eip)),
    );
  });
});
