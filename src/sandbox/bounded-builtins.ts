/**
 * QuickJS looks at the clock between the script's own operations, not inside its built-in functions: one that walks an
 * array of four thousand million holes runs until its thread is ended. Those whose time does not go into memory, which
 * has a limit of its own, get a limit of elements here, so that the script is told what it did and the thread is kept.
 */
export const BOUNDED_BUILTINS = `
const { apply } = Reflect;
/** Some tenths of a second of the slowest. */
const MOST_ELEMENTS = 2 ** 22;
const MOST_COMPARISONS = 2 ** 28;
const lengthOf = (value) => (value === null || value === undefined ? 0 : Number(value.length) || 0);
/** Puts a check in front of a built-in function. */
const check = (owner, name, isTooLong) => {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  if (descriptor === undefined || typeof descriptor.value !== "function") return;
  const original = descriptor.value;
  const value = {
    [name](...args) {
      if (isTooLong(this, args)) throw new RangeError("too much for one call of " + original.name);
      return apply(original, this, args);
    },
  }[name];
  Object.defineProperty(owner, name, { ...descriptor, value });
};
const isTooManyElements = (list) => !(lengthOf(list) <= MOST_ELEMENTS);
for (const name of Reflect.ownKeys(Array.prototype)) {
  if (name === "constructor" || name === "push" || name === "concat" || name === "flat" || name === "flatMap") continue;
  check(Array.prototype, name, isTooManyElements);
}
const hasLongList = (list, lists) => isTooManyElements(list) || lists.some(isTooManyElements);
check(Array.prototype, "concat", hasLongList);
check(String, "raw", (_, [strings]) => isTooManyElements(strings && strings.raw));
Object.defineProperty(Array.prototype, "flat", {
  value: function flat(depth = 1) {
    const result = [];
    this.forEach((item) => {
      if (!Array.isArray(item) || !(depth >= 1)) result.push(item);
      else item.flat(depth - 1).forEach((inner) => result.push(inner));
    });
    return result;
  },
});
Object.defineProperty(Array.prototype, "flatMap", {
  value: function flatMap(map, self) { return this.map(map, self).flat(); },
});
for (const name of ["indexOf", "lastIndexOf", "includes", "split", "replace", "replaceAll"]) {
  check(String.prototype, name, (text, [wanted]) =>
    typeof wanted === "string" && String(text).length * wanted.length > MOST_COMPARISONS);
}
`;
