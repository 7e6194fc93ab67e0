// Several options in one cell of a file. Splitting a joined cell gives the same options. Pure.

/** Joined by semicolons, or a JSON array where that could be misread. */
export function joinOptions(options: readonly string[]): string {
  const isPlain = options.every((option) => !/;|^\[|^\s|\s$|^$/.test(option));
  return isPlain ? options.join(';') : JSON.stringify(options);
}

/** The options of a cell, between separators or in a JSON array. */
export function splitOptions(text: string, separator = ';'): readonly string[] {
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
