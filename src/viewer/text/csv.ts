/** Tables as CSV. */

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** CSV as RFC 4180 has it. What a spreadsheet would take for a formula is written as text. */
export function toCsv(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => csvCell(row[column] ?? "")).join(","));
  return [columns.map(csvCell).join(","), ...lines].join("\r\n");
}

function csvCell(value: string | number | boolean): string {
  const text = typeof value === "string" && /^[=+@\t\r-]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
