// The conventions by which CSV written here is read here: quotes, and text that a spreadsheet would take
// for a formula. Each way back gives exactly what went in. Pure.

/** A cell as the file has it; `delimiter`: one that is seldom used. */
export function csvCell(text: string, delimiter = ','): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) || text.includes(delimiter)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/**
 * The first characters that make a spreadsheet calculate a cell instead of showing it (OWASP, CSV injection), with
 * the full-width forms that some programs treat alike.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const GUARDED = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

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
