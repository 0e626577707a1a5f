/** Builds the services that explain executions and compare them. It is loaded when the first of them is asked for. */
import type { BlockViews } from "../chain/block-views.ts";
import type { Chain } from "../chain/chain.ts";
import type { AbiRegistry } from "../explain/abi/registry.ts";
import type { Analysis, RequestLimits } from "../rpc/context.ts";
import { TenderlyService } from "../services/simulate/bundle/tenderly.ts";
import type { CallService } from "../services/simulate/call/call.ts";
import type { FailureExplainer } from "../services/simulate/call/failure-explainer.ts";
import { ComparisonService } from "../services/simulate/compare/compare-hardforks.ts";
import type { DebugService } from "../services/simulate/debug/debug.ts";
import type { StateInspector } from "../services/simulate/debug/state.ts";
import { AccountStorageService } from "../services/simulate/explain/account-storage.ts";
import { ExplainService } from "../services/simulate/explain/explain.ts";
import { GasProfileService } from "../services/simulate/explain/gas-profiles.ts";
import { StateChangeService } from "../services/simulate/explain/state-changes.ts";
import { CachedRecordings } from "../services/simulate/inspect/cached-recordings.ts";
import { Inspector } from "../services/simulate/inspect/inspector.ts";
import { RecordingService } from "../services/simulate/inspect/recordings.ts";
import { WhatIfService } from "../services/simulate/what-if/what-if.ts";
import { cacheSizes } from "./options/cache-sizes.ts";
import type { NodeOptions } from "./options/options.ts";

/** Parts that the services are built on, other services among them. */
export interface AnalysisParts {
  readonly options: NodeOptions;
  readonly chain: Chain;
  readonly views: BlockViews;
  readonly limits: RequestLimits;
  readonly abi: AbiRegistry;
  readonly explainer: FailureExplainer;
  readonly calls: CallService;
  readonly debug: DebugService;
  readonly stateInspector: StateInspector;
}

/** Services that explain executions, compare them and show them part by part. */
export function buildAnalysis(parts: AnalysisParts): Analysis {
  const { options, chain, views, limits, abi, explainer, calls, debug, stateInspector } = parts;
  const timeoutMs = limits.traceTimeoutMs;
  const recordings = new CachedRecordings(chain, timeoutMs, cacheSizes(options.maxCacheBytes).recordings);
  return {
    explain: new ExplainService({ calls, debug, explainer }),
    gasProfiles: new GasProfileService({ calls, debug, abi }),
    stateChanges: new StateChangeService({ chain, debug, abi, explainer, limits }),
    comparisons: new ComparisonService({ chain, views, limits }),
    whatIf: new WhatIfService({ chain, views, abi, limits }),
    inspector: new Inspector({ recordings, views, abi }),
    accountStorage: new AccountStorageService({ chain, views, states: stateInspector, abi, timeoutMs }),
    recordings: new RecordingService({ chain, recordings, abi, timeoutMs }),
    tenderly: new TenderlyService({ chain, views, limits, abi }),
  };
}
