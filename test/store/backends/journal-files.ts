/**
 * What any files of a journal must do, in Node and in a browser: this module imports nothing of either, and says what was
 * wrong in sentences.
 */
import type { JournalDatabase } from "../../../src/store/backends/journal-database.ts";
import type { JournalFolder } from "../../../src/store/backends/journal-file.ts";

type Database = typeof JournalDatabase;

/** A key of the table of settings. */
const key = (name: number): Uint8Array => Uint8Array.of(2, name);
const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte);

/** Names of what the files of some folders do not do. Each call of `folder` gives an empty one. */
export async function faultsOfFiles(folder: () => JournalFolder, Database: Database): Promise<string[]> {
  const faults: string[] = [];
  const require = (isRight: boolean, sentence: string): void => {
    if (!isRight) faults.push(sentence);
  };
  await checkFile(folder(), require);
  await checkJournal(folder(), Database, require);
  await checkRewriting(folder(), Database, require);
  return faults;
}

type Require = (isRight: boolean, sentence: string) => void;

async function checkFile(folder: JournalFolder, require: Require): Promise<void> {
  const file = await folder.open("journal-a");
  require(file.size() === 0, "a new file is empty");
  require(file.read(filled(4, 1), 0) === 0, "nothing is read from an empty file");
  file.write(filled(100, 7), 0);
  file.write(filled(50, 8), 100);
  require(file.size() === 150, "a file is as long as what was written to it");
  const target = filled(80, 0);
  require(file.read(target, 90) === 60, "fewer bytes are read at the end");
  require(target[0] === 7 && target[10] === 8 && target[60] === 0, "bytes are read from where they were written");
  file.write(filled(5, 9), 2);
  file.truncate(120);
  require(file.size() === 120, "a file can be shortened");
  file.flush();
  file.close();
  const again = await folder.open("journal-a");
  require(again.size() === 120, "a file is there when it is opened again");
  again.read(target, 0);
  require(target[1] === 7 && target[2] === 9 && target[7] === 7, "a part of a file can be written over");
  again.close();
}

async function checkJournal(folder: JournalFolder, Database: Database, require: Require): Promise<void> {
  const first = new Database(folder);
  await first.open();
  for (let name = 0; name < 20; name++)
    await first.batch([{ type: "put", key: key(name), value: filled(5_000, name) }]);
  await first.batch([{ type: "del", key: key(3) }]);
  await first.close();
  const second = new Database(folder);
  await second.open();
  require(second.getSync(key(19))?.every((byte) => byte === 19) === true, "what was written is read again");
  require(second.getSync(key(3)) === undefined, "what was deleted is gone");
  require(second.notices.length === 0, "nothing was cut off");
  await second.close();
  const file = await folder.open("journal-a");
  const end = file.size();
  file.write(Uint8Array.of(0, 0, 9, 9, 0, 0, 0, 21, 1, 2, 3, 4, 5), end);
  file.close();
  const third = new Database(folder);
  await third.open();
  require(third.notices.length === 1, "an incomplete record is told");
  require(third.getSync(key(18)) !== undefined, "what is before an incomplete record is read");
  await third.batch([{ type: "put", key: key(40), value: filled(1, 1) }]);
  await third.close();
  const fourth = new Database(folder);
  await fourth.open();
  require(fourth.getSync(key(40)) !== undefined, "what was written after a cut is read again");
  await fourth.close();
  const damaged = await folder.open("journal-a");
  damaged.write(Uint8Array.of(77), 6_000);
  damaged.close();
  const code = await new Database(folder).open().catch((error) => error.code);
  require(code === "LEVEL_CORRUPTION", "damage in the middle is an error");
}

async function checkRewriting(folder: JournalFolder, Database: Database, require: Require): Promise<void> {
  const database = new Database(folder, 50_000);
  await database.open();
  for (let time = 0; time < 40; time++) {
    await database.batch([{ type: "put", key: key(time % 2), value: filled(4_000, time) }]);
  }
  await database.close();
  const files = [await folder.open("journal-a"), await folder.open("journal-b")];
  const sizes = files.map((file) => file.size());
  for (const file of files) file.close();
  require(Math.max(...sizes) < 70_000, `a journal of needless records is rewritten, but they are ${sizes}`);
  require(Math.min(...sizes) === 0, "the other file is empty");
  const again = new Database(folder);
  await again.open();
  const values = [38, 39].map((byte) => again.getSync(key(byte % 2))?.[3999]);
  require(values.join() === "38,39", "what was rewritten is read again");
  await again.close();
}
