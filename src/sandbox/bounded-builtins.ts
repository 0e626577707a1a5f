/**
 * JavaScript that limits built-in functions by their number of elements. QuickJS checks the time limit between the
 * script's own operations, not within built-in functions, so one that iterates over an array of four thousand million
 * holes would run until its thread is terminated. Only those are limited that take time without taking memory, which
 * has its own limit. The script gets an error and the thread lives on.
 */
export const BOUNDED_BUILTINS = `
const { apply } = Reflect;
/** Takes some tenths of a second in the slowest function. */
const MOST_ELEMENTS = 2 ** 22;
const MOST_COMPARISONS = 2 ** 28;
const lengthOf = (value) => (value === null || value === undefined ? 0 : Number(value.length) || 0);
/** Adds a check to a built-in function. */
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
