// Texts as bytes of any encoding: what its decoder makes of every sequence of one or two bytes, turned around.

import { openDecoder } from '../../packages/tables/src/decoder.ts';
import type { Encoding } from '../../packages/tables/src/encoding-names.ts';

const tables = new Map<Encoding, ReadonlyMap<string, readonly number[]>>();

export function encoded(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  if (encoding.startsWith('utf-')) return wide(text, encoding);
  const table = tables.get(encoding) ?? tableOf(encoding);
  tables.set(encoding, table);
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

function wide(text: string, encoding: Encoding): Uint8Array {
  const isLittle = encoding.endsWith('le');
  const codes = encoding.startsWith('utf-32')
    ? [...text].map((character) => [character.codePointAt(0) ?? 0, 4] as const)
    : Array.from(text, (_, at) => [text.charCodeAt(at), 2] as const);
  return Uint8Array.from(
    codes.flatMap(([code, length]) => {
      const bytes = Array.from({ length }, (_, at) => (code >>> (8 * at)) & 0xff);
      return isLittle ? bytes : bytes.toReversed();
    }),
  );
}

function tableOf(encoding: Encoding): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const put = (...bytes: number[]) => {
    try {
      const decoder = openDecoder(encoding);
      const text = decoder.push(Uint8Array.from(bytes)) + decoder.end();
      if ([...text].length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // The encoding does not have it.
    }
  };
  for (let one = 0; one < 256; one += 1) put(one);
  if (!/jis|jp|gb|big|kr/.test(encoding)) return table;
  for (let one = 0x81; one < 0xff; one += 1) {
    for (let other = 0x40; other < 0xff; other += 1) put(one, other);
  }
  return table;
}
