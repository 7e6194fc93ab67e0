// A part of a file, as the header `Range` asks for it (RFC 9110 §14): one part only. Pure.

/** The first and the last byte of a part. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The part of a file of `size` bytes. Undefined: the whole file, which is also the answer to several parts and to units
 * that are unknown; `none`: it has no such part.
 */
export function readRange(header: string | undefined, size: number): Part | 'none' | undefined {
  const [, first = '', last = ''] = RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return lastBytes(Number(last), size);
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== '' && Number(last) < start) return undefined;
  return start < size ? { start, end } : 'none';
}

function lastBytes(count: number, size: number): Part | 'none' {
  if (count === 0 || size === 0) return 'none';
  return { start: Math.max(0, size - count), end: size - 1 };
}
