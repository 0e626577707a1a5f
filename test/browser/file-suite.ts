/** The suite of a journal's files, in a worker of a browser: bundled with the library, and started by a message. */
import { privateJournal } from "../../src/browser/store/private-files.ts";
import { JournalDatabase } from "../../src/store/backends/journal-database.ts";
import { faultsOfFiles } from "../store/backends/journal-files.ts";

const scope = globalThis as unknown as {
  addEventListener(type: "message", listener: () => void): void;
  postMessage(message: unknown): void;
};
let count = 0;

scope.addEventListener("message", () => {
  faultsOfFiles(() => privateJournal(`suite/${count++}`), JournalDatabase).then(
    (faults) => scope.postMessage(faults),
    (error: unknown) => scope.postMessage([String(error)]),
  );
});
