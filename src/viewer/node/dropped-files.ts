/** Files that were dropped onto the page, and those with artifacts in folders that were. */

/** Files of a folder that are looked at: the JSON of compilers. Foundry's cache and Hardhat's debug files have none. */
const HAS_ARTIFACTS = /(?<!\.dbg|\.metadata|solidity-files-cache)\.json$/;

/**
 * The files, those of folders with all that is below them.
 *
 * @throws {Error} if a folder cannot be read
 */
export async function droppedFiles(items: DataTransferItemList): Promise<readonly File[]> {
  // At once: the browser empties the list when the event is over.
  const dropped = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found: File[] = [];
  for (const { entry, file } of dropped) {
    if (entry?.isDirectory === true) found.push(...(await filesBelow(entry as FileSystemDirectoryEntry)));
    else if (file !== null) found.push(file);
  }
  return found;
}

async function filesBelow(folder: FileSystemDirectoryEntry): Promise<readonly File[]> {
  const found: File[] = [];
  for (const entry of await entriesOf(folder)) {
    if (entry.isDirectory) found.push(...(await filesBelow(entry as FileSystemDirectoryEntry)));
    else if (HAS_ARTIFACTS.test(entry.name))
      found.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
  }
  return found;
}

/** A folder's entries. Browsers give about a hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}
