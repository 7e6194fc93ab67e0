// The text of one cell of CSV: spaces around it, quotation marks, and the apostrophe that keeps a spreadsheet from
// calculating it. Pure.

/** A cell as the file has it; `delimiter`: one that is seldom used. */
export function csvCell(text: string, delimiter = ','): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) || text.includes(delimiter)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** Rows of CSV with commas. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map((cell) => csvCell(cell)).join(',')}\n`).join('');
}

/** Digits, as codes and telephone numbers have them: spreadsheets mark them as text by an apostrophe. */
const DIGITS = "'+\\d[\\d\\s().,/-]*$";
/**
 * The first characters that make a spreadsheet calculate a cell instead of showing it (OWASP, CSV injection), with
 * the full-width forms that some programs treat alike.
 */
const CALCULATED = '[=+\\-@\\t\\r\\n\\uFF1D\\uFF0B\\uFF0D\\uFF20]';
const FORMULA = new RegExp(`^'*${CALCULATED}|^${DIGITS}`);
const GUARDED = new RegExp(`^'+${CALCULATED}|^${DIGITS}`);

/**
 * An apostrophe before text that begins like a formula. Text that looks guarded already gets one more,
 * so that taking one away always leaves the text itself.
 */
export function guardText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text behind the apostrophe of a guard. */
export function unguardText(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text;
}

/** The value of a cell: without spaces, no-break spaces and line ends around it; those within it stay. */
export function cellText(cell: string): string {
  // Most cells have none of these, and an expression for each of a million cells takes seconds.
  const plain = isPlain(cell.charCodeAt(0)) && isPlain(cell.charCodeAt(cell.length - 1));
  const text = plain ? cell : cell.trim();
  return text.startsWith("'") ? unguardText(text).trim() : text;
}

function isPlain(code: number): boolean {
  return code > 32 && code < 128;
}
