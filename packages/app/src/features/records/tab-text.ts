// Tab-separated text as spreadsheets copy and paste it: a cell with a tab, a line break or a quotation mark is in
// quotation marks, and its own ones are doubled.

/** The format that this application copies, in addition to the plain text, and pastes first. */
export const CELLS = 'application/x-workspace-records-cells';

/** The cells as plain text: one cell is its text, without the marks that a table needs. */
export function printPlain(rows: readonly (readonly string[])[]): string {
  const [[only = ''] = []] = rows;
  return rows.length === 1 && rows[0]?.length === 1 ? only : printCells(rows);
}

export function printCells(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoted).join('\t')).join('\n');
}

export function parseCells(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  // A cell, and the tab, the line break or the end behind it.
  const pattern = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/gy;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, inQuotes, plain = '', end] = match;
    rows.at(-1)?.push(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  // Copied text ends in a line break.
  const last = rows.at(-1);
  return rows.length > 1 && last?.length === 1 && last[0] === '' ? rows.slice(0, -1) : rows;
}

function quoted(cell: string): string {
  return /["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
