/** Output for people, as JSON lines, or none at all. */
import { setImmediate } from "node:timers/promises";
import { hasTerminalColors } from "../../explain/render/terminal-colors.ts";
import type { CliSettings } from "../options/settings.ts";
import { buildBanner, listeningLine } from "./banner.ts";
import { explainedCallText, explainedText, printedText } from "./execution-log.ts";
import type { Output, OutputStream, Terminal } from "./output.ts";
import type { RequestLog } from "./request-log.ts";

const ignore = (): void => undefined;
const SILENT: Output = {
  imported: ignore,
  started: ignore,
  answered: ignore,
  mined: ignore,
  printed: ignore,
  explained: ignore,
  explainedCall: ignore,
};

/** The output that the settings ask for. */
export async function openOutput(settings: CliSettings, { stdout }: Terminal): Promise<Output> {
  if (settings.quiet) return SILENT;
  if (!settings.json) return humanOutput(stdout, hasColors(settings, stdout));
  const { createJsonOutput } = await import("./json-output.ts");
  return createJsonOutput(stdout);
}

/** Whether what is printed there has colours. */
export function hasColors({ color, json }: CliSettings, stdout: OutputStream): boolean {
  return !json && (color === "auto" ? hasTerminalColors(stdout) : color === "always");
}

function humanOutput(stdout: OutputStream, colored: boolean): Output {
  const log = requestLog(stdout, colored);
  return {
    imported: (path, blocks, known) =>
      void stdout.write(`Imported ${blocks} blocks from ${path}${known > 0 ? `, ${known} were known` : ""}.\n\n`),
    started(facts) {
      const ipc = facts.ipcPath === undefined ? "" : `IPC path: ${facts.ipcPath}\n`;
      stdout.write(`${buildBanner(facts)}\n${ipc}${listeningLine(facts.host, facts.port)}\n`);
    },
    answered: log,
    mined: ignore,
    printed: (line) => void stdout.write(printedText(line, new Date())),
    explained: (transaction) => void stdout.write(explainedText(transaction, new Date())),
    explainedCall: (call) => void stdout.write(explainedCallText(call, new Date())),
  };
}

/** The log's library is loaded once the first answer is out; lines wait for it in their order. */
function requestLog(output: OutputStream, hasColors: boolean): RequestLog {
  let opened: Promise<RequestLog> | undefined;
  const open = async (): Promise<RequestLog> => {
    await setImmediate();
    const { createRequestLog } = await import("./request-log.ts");
    return createRequestLog(output, hasColors);
  };
  return (method, error) => {
    opened ??= open();
    void opened.then((log) => log(method, error));
  };
}
