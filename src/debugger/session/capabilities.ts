/** Capabilities of a debug session, which its client gets at the start. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { FILTERS } from "./breakpoints.ts";

/** The parts of the protocol that a session has, beyond those that every session has. */
export const CAPABILITIES: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsExceptionInfoRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsDataBreakpoints: true,
  supportsDisassembleRequest: true,
  supportsReadMemoryRequest: true,
  supportsEvaluateForHovers: true,
  supportsLoadedSourcesRequest: true,
  supportsBreakpointLocationsRequest: true,
  supportsTerminateRequest: true,
  exceptionBreakpointFilters: [...FILTERS],
};
