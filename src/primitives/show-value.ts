/** Values of somebody else's, as an error shows them. */

const MAX_LENGTH = 80;

/**
 * A value on one line of at most 80 characters: JSON where it has such a form, bigints as `5n`. Never throws, whatever a
 * program hands in.
 */
export function showValue(value: unknown): string {
  const text = textOf(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 3)}...` : text;
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "function":
      return "a function";
    case "string":
      return JSON.stringify(value);
    case "object":
      return jsonOf(value) ?? "an object";
    case "bigint":
      return `${value}n`;
    default:
      return String(value);
  }
}

/** Undefined for what has no JSON: a circle, or an object that says so itself. */
function jsonOf(value: object | null): string | undefined {
  try {
    const json = JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}n` : member));
    return json === "{}" ? emptyOr(value) : json;
  } catch {
    return undefined;
  }
}

/** What JSON shows nothing of may hold something all the same: a Map, a Promise. */
function emptyOr(value: object | null): string {
  const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return kind === "Object" ? "{}" : `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}`;
}
