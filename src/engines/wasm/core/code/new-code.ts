// Makes and frees the objects of codes.

import { burn } from "../machine/machine";
import { readAddress } from "../machine/words";
import { Arena } from "./arena";
import { Code, CodeFlag } from "./code";

/** Number of zeros after the code, for a PUSH or a word that goes beyond its end. */
const PADDING: usize = 64;

const lasting: Arena = changetype<Arena>(memory.data(16, 16));
const temporary: Arena = changetype<Arena>(memory.data(16, 16));
const initial: Arena = changetype<Arena>(memory.data(16, 16));

/** The code object of accounts without code. */
export let emptyCode: Code = changetype<Code>(0);

/** Makes the object of the empty code, unless it exists. */
export function prepareCode(): void {
  if (changetype<usize>(emptyCode) == 0) emptyCode = makeCode(lasting, 0);
}

function makeCode(arena: Arena, length: usize): Code {
  const code = changetype<Code>(arena.take(offsetof<Code>() + length + PADDING));
  memory.fill(changetype<usize>(code), 0, offsetof<Code>());
  const raw = changetype<usize>(code) + offsetof<Code>();
  memory.fill(raw + length, 0, PADDING);
  code.length = <u32>length;
  code.raw = raw;
  code.arena = arena;
  code.chunk = arena.current;
  return code;
}

/** Creates an object for code of this many bytes. The host writes the bytes. */
export function newCode(length: usize): Code {
  return makeCode(lasting, length);
}

/** Must be called after the bytes of {@link newCode} are written. */
export function finishCode(code: Code): void {
  noteDelegation(code);
}

/** Creates an object with a copy of code that this transaction created. */
export function newTemporaryCode(source: usize, length: usize): Code {
  return copyOf(temporary, source, length);
}

/** Creates an object with a copy of init code, which must be freed by {@link freeInitCode}. */
export function newInitCode(source: usize, length: usize): Code {
  return copyOf(initial, source, length);
}

function copyOf(arena: Arena, source: usize, length: usize): Code {
  const code = makeCode(arena, length);
  memory.copy(code.raw, source, length);
  burn(length);
  noteDelegation(code);
  return code;
}

/** Recognises a delegation: 0xef0100 and an address (EIP-7702). */
function noteDelegation(code: Code): void {
  const raw = code.raw;
  if (code.length != 23 || (load<u32>(raw) & 0xffffff) != 0x0001ef) return;
  code.flags |= CodeFlag.IS_DELEGATION;
  readAddress(code.delegate, raw + 3);
}

/** Frees the codes that the last transaction created. */
export function forgetTemporaryCode(): void {
  temporary.empty();
  initial.empty();
}

/** Frees init code with all that was decoded from it. Later init codes must be freed already. Ignores other code. */
export function freeInitCode(code: Code): void {
  if (code.arena == initial) initial.freeFrom(code.chunk, changetype<usize>(code));
}
