// The letters that stand for a person where there is no room for the name.

/** Of a name: two letters that people know each other by. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const [first = '', last = ''] = [words[0] ?? name, words.length > 1 ? (words.at(-1) ?? '') : ''];
  return [first, last]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}
