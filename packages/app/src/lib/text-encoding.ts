// The encoding and the delimiter of a file, found from its first bytes. Pure.

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The encoding of a file, from the byte-order mark, zero bytes, and whether the bytes can be UTF-8. */
export function findEncoding(bytes: Uint8Array): Encoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  // In most texts every second byte of UTF-16 is zero.
  if (even + odd > bytes.length / 8) return odd > even ? 'utf-16le' : 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** The last character may be cut off. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Rows that are compared. */
const COMPARED = 20;

/** The delimiter that gives the first rows the same number of cells, and most of them. `sep=;` says it itself. */
export function findDelimiter(text: string): Delimiter {
  const said = /^sep=([,;\t|])\r?\n/.exec(text)?.[1];
  if (said !== undefined) return said as Delimiter;
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreOf(text, delimiter) }));
  const [best] = scored.toSorted((one, other) => other.score - one.score);
  return best !== undefined && best.score > 0 ? best.delimiter : ',';
}

function scoreOf(text: string, delimiter: Delimiter): number {
  const counts = cellCounts(text, delimiter);
  const [first = 1] = counts;
  if (first < 2) return 0;
  const equal = counts.filter((count) => count === first).length;
  return (equal / counts.length) * 100 + Math.min(first, 50);
}

/** Cells in each of the first rows; delimiters and line breaks between quotation marks do not count. */
function cellCounts(text: string, delimiter: Delimiter): readonly number[] {
  const counts: number[] = [];
  let cells = 1;
  let isQuoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) {
      if (!isBlank) counts.push(cells);
      if (counts.length >= COMPARED) return counts;
      cells = 1;
      isBlank = true;
      continue;
    } else if (!isQuoted && character === delimiter) cells += 1;
    isBlank = false;
  }
  return isBlank || counts.length > 0 ? counts : [cells];
}
