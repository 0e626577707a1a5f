/** Opens the output: text, JSON lines, or none. */
import { setImmediate } from "node:timers/promises";
import { hasTerminalColors } from "../../primitives/platform/terminal-colors.ts";
import type { CliSettings } from "../options/settings.ts";
import { buildBanner, listeningLine } from "./banner.ts";
import { blocksText, explainedCallText, minedText, noticeText, printedText } from "./lines.ts";
import type { Output, OutputStream, Terminal } from "./output.ts";
import type { RequestLog } from "./request-log.ts";

const ignore = (): void => undefined;
const SILENT: Output = {
  imported: ignore,
  started: ignore,
  answered: ignore,
  noticed: ignore,
  written: () => Promise.resolve(),
  printed: ignore,
  blocks: ignore,
  mined: ignore,
  explainedCall: ignore,
};

/** The output that the settings ask for. */
export async function openOutput(settings: CliSettings, { stdout }: Terminal): Promise<Output> {
  if (settings.quiet) return SILENT;
  if (!settings.json) return humanOutput(stdout, hasColors(settings, stdout));
  const { createJsonOutput } = await import("./json-output.ts");
  return createJsonOutput(stdout);
}

/** Whether printed text has colours. */
export function hasColors({ color, json }: CliSettings, stdout: OutputStream): boolean {
  return !json && (color === "auto" ? hasTerminalColors(stdout) : color === "always");
}

function humanOutput(stdout: OutputStream, colored: boolean): Output {
  const log = requestLog(stdout, colored);
  let explorerUrl: string | undefined;
  return {
    imported: (path, blocks, known) =>
      void stdout.write(`Imported ${blocks} blocks from ${path}${known > 0 ? `, ${known} were known` : ""}.\n\n`),
    started(facts) {
      explorerUrl = facts.explorerUrl;
      const ipc = facts.ipcPath === undefined ? "" : `IPC path: ${facts.ipcPath}\n`;
      const explorer = facts.explorerUrl === undefined ? "" : `Explorer: ${facts.explorerUrl}\n`;
      stdout.write(`${buildBanner(facts)}\n${explorer}${ipc}${listeningLine(facts.host, facts.port)}\n`);
    },
    answered: log.answered,
    written: log.written,
    noticed: (text) => void stdout.write(noticeText(text, new Date())),
    printed: (line) => void stdout.write(printedText(line, new Date())),
    blocks: (blocks) => void stdout.write(blocksText(blocks, new Date())),
    mined: (transaction) => void stdout.write(minedText(transaction, new Date(), { colored, explorerUrl })),
    explainedCall: (call) => void stdout.write(explainedCallText(call, new Date())),
  };
}

/** Loads the log's library after the first answer was sent; earlier lines wait in order. */
function requestLog(output: OutputStream, hasColors: boolean): Pick<Output, "answered" | "written"> {
  let opened: Promise<RequestLog> | undefined;
  const open = async (): Promise<RequestLog> => {
    await setImmediate();
    const { createRequestLog } = await import("./request-log.ts");
    return createRequestLog(output, hasColors);
  };
  return {
    answered: (method, error) => {
      opened ??= open();
      void opened.then((log) => log(method, error));
    },
    written: async () => void (await opened),
  };
}
