/** Writes tables as CSV. */

/** A row: values by column name. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Formats rows by RFC 4180. A text that a spreadsheet would run as a formula is escaped; a negative number is none. */
export function toCsv(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => csvCell(row[column] ?? "")).join(","));
  return [columns.map(csvCell).join(","), ...lines].join("\r\n");
}

function csvCell(value: string | number | boolean): string {
  const isFormula = typeof value === "string" && /^[=+@\t\r-]/.test(value) && !/^-\d+(\.\d+)?$/.test(value);
  const text = isFormula ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
