// Keys of fields and options, made of the texts of a file. Pure.

/** Names that every record has besides its fields; no field may take them. */
export const RESERVED_FIELD_KEYS: readonly string[] = Object.freeze([
  ...['id', 'object_type', 'public_id', 'display', 'version', 'status', 'custom_status_id'],
  ...['owner_user_id', 'created_at', 'updated_at', 'created_by_user_id', 'custom_fields', 'fields'],
]);

/** Reserved keys, and the status as files of exports have it. */
const TAKEN = [...RESERVED_FIELD_KEYS, 'status_id'];
/** The most characters of a key. */
const MOST = 50;

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

/** A key that begins with a letter. */
function keyOf(text: string): string {
  const plain = plainKey(text, MOST);
  return /^\d/.test(plain) ? plainKey(`n_${plain}`, MOST) : plain;
}

/**
 * A text as definitions write keys: small letters, digits and `_`, at most so many characters. Empty when nothing is
 * left.
 */
export function plainKey(text: string, most: number): string {
  return text
    .toLowerCase()
    .replaceAll(/[äöüßøæ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, most)
    .replace(/_$/, '');
}
