// Rows of text for a person at the terminal.

/** Columns as wide as their widest cell, the header first. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((word, column) =>
    Math.max(word.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${[header, ...rows].map(line).join('\n')}\n`;
}
