// The option that a word of a file or a person means: by its label or its value, exactly as written, or else whatever the
// case and form of its letters. A word with two meanings has none. Pure.

import { folded } from './folded.ts';

export interface WordedOption {
  readonly value: unknown;
  readonly label?: string | undefined;
}

/** The options with the word: none, one, or those between which a person has to choose. */
export function optionsNamed<Option extends WordedOption>(
  options: readonly Option[],
  word: string,
): readonly Option[] {
  const sought = word.trim();
  const exact = options.filter((option) => wordsOf(option).includes(sought));
  if (exact.length > 0) return exact;
  const close = folded(sought);
  return options.filter((option) => wordsOf(option).map(folded).includes(close));
}

function wordsOf({ value, label }: WordedOption): readonly string[] {
  return label === undefined ? [String(value)] : [label, String(value)];
}
