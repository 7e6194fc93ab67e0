// The output of commands for people. Names come from the database, and so from others: printed text has no control
// character that a terminal would obey.

/** Controls, ends of lines that editors know, and what turns the direction of the text around. */
const UNSAFE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;
const UNSAFE_BUT_LINES = /(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Text for one line; unsafe characters as JSON would write them, `\u001b`. */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, escaped);
}

/** Print lines that are the result of a command; in JSON the escapes are its own. */
export function tell(lines: string): void {
  process.stdout.write(lines.replaceAll(UNSAFE_BUT_LINES, escaped));
}

/** Print a value that is the result of a command. */
export function tellJson(value: unknown): void {
  tell(`${JSON.stringify(value, null, 2)}\n`);
}

/** Print lines apart from the result: notes and failures. */
export function remark(lines: string): void {
  process.stderr.write(lines.replaceAll(UNSAFE_BUT_LINES, escaped));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
