// The conventions by which CSV written here is read here: quotes, text that a spreadsheet would take for
// a formula, and lists in one cell. Each way back gives exactly what went in. Pure.

/** A cell as it stands in the file. */
export function csvCell(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * What makes a spreadsheet calculate a cell instead of showing it (OWASP, CSV injection), with the
 * full-width forms that some take for the same.
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

/** Options in one cell: joined by semicolons, or a JSON array where that could be misread. */
export function joinOptions(options: readonly string[]): string {
  const isPlain = options.every((option) => !/;|^\[|^\s|\s$|^$/.test(option));
  return isPlain ? options.join(';') : JSON.stringify(options);
}

/** The options of a cell, between separators or in a JSON array. */
export function splitOptions(text: string, separator: string): readonly string[] {
  const list = text.trimStart().startsWith('[') ? parseList(text) : undefined;
  if (list !== undefined) return list;
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function parseList(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
    return isList ? (value as readonly string[]) : undefined;
  } catch {
    return undefined;
  }
}
