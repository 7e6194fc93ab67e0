// Keys of fields and options, made of the texts of a file. Pure.

/** Keys that the service has taken (model.ts there), and those that a file of an export would bring. */
const TAKEN = [
  ...['id', 'object_type', 'status', 'status_id', 'owner_user_id', 'created_at', 'updated_at'],
  ...['custom_fields', 'public_id', 'created_by_user_id', 'version', 'fields', 'display'],
];

/** Keys of fields for these headings, each once. */
export function keysOf(
  headings: readonly string[],
  taken: readonly string[] = [],
): readonly string[] {
  return uniqueKeys(headings, 'column', [...TAKEN, ...taken]);
}

export function uniqueKeys(
  texts: readonly string[],
  instead: string,
  taken: readonly string[] = [],
): readonly string[] {
  const used = new Set(taken);
  return texts.map((text, index) => {
    const plain = keyOf(text);
    const base = plain === '' ? `${instead}_${index + 1}` : plain;
    let key = base;
    for (let next = 2; used.has(key); next += 1) key = `${base.slice(0, 46)}_${next}`;
    used.add(key);
    return key;
  });
}

const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
};

/** The key as definitions write it: small letters, digits and `_`; empty when nothing is left. */
function keyOf(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[äöüßøæ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  const started = /^\d/.test(plain) ? `n_${plain}` : plain;
  return started.slice(0, 50).replace(/_$/, '');
}
