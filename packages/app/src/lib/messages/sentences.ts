// Sentences of the service in another language. Pure.

export type Sentences = readonly (readonly [english: string, other: string])[];

/** What is in none of them stays as it is. */
export function tellerOf(sentences: Sentences): (said: string) => string {
  const plain = new Map(sentences);
  const patterns = sentences
    .filter(([english]) => english.includes('{}'))
    .map(([english, other]) => ({ pattern: patternOf(english), other }));
  return (said) => {
    const whole = plain.get(said);
    if (whole !== undefined) return whole;
    for (const { pattern, other } of patterns) {
      const found = pattern.exec(said);
      if (found !== null) return filled(other, found.slice(1));
    }
    return said;
  };
}

function patternOf(english: string): RegExp {
  const parts = english.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+?)')}$`, 's');
}

/** `{}` is the next of what was named, `{2}` the second. */
function filled(text: string, named: readonly string[]): string {
  let next = 0;
  return text.replaceAll(/\{(\d?)\}/g, (_, place: string) => {
    if (place === '') next += 1;
    return named[(place === '' ? next : Number(place)) - 1] ?? '';
  });
}
