// Sentences of the service without an id, in another language: reasons and notes that are stored with jobs and webhooks,
// and rows that an import refuses. Pure.

import { MESSAGES } from '@workspace-records/client';
import type { ServiceTexts } from './index.ts';

type Sentences = readonly (readonly [english: string, other: string])[];

/** A sentence that none of the messages of the service makes stays as it is. */
export function sentenceTranslator(texts: ServiceTexts): (said: string) => string {
  return tellerOf(sentencesOf(texts));
}

/** `{}` in place of each name in English, and the number of the place in the other language. */
function sentencesOf(texts: ServiceTexts): Sentences {
  return Object.entries<string>(MESSAGES)
    .filter(([, text]) => !text.startsWith('{'))
    .map(([id, text]) => {
      const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const english = text.replaceAll(/\{\w+\}/g, '{}');
      const other = texts[id as keyof ServiceTexts].replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => `{${names.indexOf(name) + 1}}`,
      );
      return [/^[a-z]/.test(english) ? `The value ${english}.` : english, other] as const;
    });
}

function tellerOf(sentences: Sentences): (said: string) => string {
  const plain = new Map(sentences);
  const patterns = sentences
    .filter(([english]) => english.includes('{}'))
    .map(([english, other]) => ({ parts: english.split('{}'), other }));
  return (said) => {
    const whole = plain.get(said);
    if (whole !== undefined) return whole;
    for (const { parts, other } of patterns) {
      const found = namedIn(said, parts);
      if (found !== undefined) return filled(other, found);
    }
    return said;
  };
}

/**
 * The texts between the parts of a sentence, each as short as can be; undefined: it is another one. One pass: an
 * expression with several places takes a time that grows with a power of the length.
 */
function namedIn(said: string, [first = '', ...others]: readonly string[]) {
  const last = others.pop() ?? '';
  if (!said.startsWith(first) || !said.endsWith(last)) return undefined;
  const end = said.length - last.length;
  const values: string[] = [];
  let from = first.length;
  for (const part of others) {
    const at = said.indexOf(part, from + 1);
    if (at < 0) return undefined;
    values.push(said.slice(from, at));
    from = at + part.length;
  }
  return from < end ? [...values, said.slice(from, end)] : undefined;
}

/** `{}` is the next of what was named, `{2}` the second. */
function filled(text: string, named: readonly string[]): string {
  let next = 0;
  return text.replaceAll(/\{(\d?)\}/g, (_, place: string) => {
    if (place === '') next += 1;
    return named[(place === '' ? next : Number(place)) - 1] ?? '';
  });
}
