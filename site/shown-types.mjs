import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";

/** Longer ones would hide what refers to them. */
const MOST_CHARACTERS = 240;

/**
 * The declared form of each short type alias and interface of a folder of declarations: a union of literals, a function, an
 * object of a few members. The keys are those of {@link shownTypeKey}, since two files may give one name to different types.
 *
 * @param {string} folder
 * @returns {Map<string, string>}
 */
export function shownTypes(folder) {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const program = ts.createProgram(files, { strict: true, noEmit: true, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
  const texts = new Map();
  for (const source of files.map((file) => program.getSourceFile(file))) {
    for (const statement of source?.statements ?? []) {
      const isAlias = ts.isTypeAliasDeclaration(statement) && statement.typeParameters === undefined;
      const isObject = ts.isInterfaceDeclaration(statement) && statement.heritageClauses === undefined;
      if (!isAlias && !isObject) continue;
      const type = checker.getTypeAtLocation(statement.name);
      const text = isAlias ? checker.typeToString(type, undefined, flags) : membersText(statement, source);
      if (text.length > MOST_CHARACTERS || text === statement.name.text) continue;
      texts.set(shownTypeKey(source.fileName, statement.name.text), text);
    }
  }
  return texts;
}

/** A type's name, with the name of the file that declares it. */
export const shownTypeKey = (file, name) => `${basename(file)} ${name}`;

function membersText(statement, source) {
  const members = statement.members.map((member) => member.getText(source).replaceAll(/\s+/g, " ").replace(/;$/, ""));
  return `{ ${members.join("; ").replaceAll("readonly ", "")} }`;
}
