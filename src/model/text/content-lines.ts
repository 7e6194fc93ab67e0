// Lines of contact cards and calendars: their escapes and their length (RFC 6350 §3.2, RFC 5545 §3.1). Pure.

/** The text with its escapes, without control characters other than tabs and line ends. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[\\,;]/g, '\\$&')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/[^\P{Cc}\t]/gu, '');
}

const MOST_BYTES = 75;

/** The line with its end; a longer one than 75 bytes is continued, not within a character. */
export function folded(line: string): string {
  if (Buffer.byteLength(line) <= MOST_BYTES) return `${line}\r\n`;
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MOST_BYTES) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return `${text}\r\n`;
}
