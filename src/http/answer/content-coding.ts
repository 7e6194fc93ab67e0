// Compressed answers: which coding a client takes (RFC 9110 §12.5.3) and the body in it, whatever its
// content.

import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

export type Coding = 'br' | 'gzip';

/** A smaller body costs more time than it saves (D161). */
const WORTHWHILE_BYTES = 16_384;
/** The number of bodies compressed at once; others are sent unchanged, or wait where they have to be compressed. */
const MOST_BODIES = 8;
const MOST_CHARACTERS = 16 * 1024 * 1024;
const FAST_GZIP = Object.freeze({ level: 1 });
const FAST_BROTLI = Object.freeze({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
/** The quicker one first, for clients that have no preference. */
const OF_ANSWERS: readonly Coding[] = ['br', 'gzip'];

let bodies = 0;
let characters = 0;
/** The waiting requests, the first one first. */
const waiting: (() => void)[] = [];

/** The coding of an answer of so many bytes, chosen for each request; undefined: none. */
export function answerCoding(accepted: string | undefined, bytes: number): Coding | undefined {
  if (accepted === undefined) return undefined;
  const wishes = parseAccepted(accepted);
  if (isIdentityRefused(wishes)) return preferred(wishes, OF_ANSWERS);
  if (bytes < WORTHWHILE_BYTES || !hasRoom(bytes)) return undefined;
  return preferred(wishes, OF_ANSWERS);
}

/** The coding of a document that is kept in these codings, the best first. */
export function documentCoding(
  accepted: string | undefined,
  kept: readonly Coding[],
): Coding | undefined {
  return accepted === undefined ? undefined : preferred(parseAccepted(accepted), kept);
}

/** Compress outside of the event loop, when it is the turn of this text. */
export async function encode(text: string, coding: Coding): Promise<Buffer> {
  while (!hasRoom(text.length)) await new Promise<void>((resolve) => waiting.push(resolve));
  bodies += 1;
  characters += text.length;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const done = (error: Error | null, bytes: Buffer) => (error ? reject(error) : resolve(bytes));
      if (coding === 'gzip') gzip(text, FAST_GZIP, done);
      else brotliCompress(text, FAST_BROTLI, done);
    });
  } finally {
    bodies -= 1;
    characters -= text.length;
    for (const look of waiting.splice(0)) look();
  }
}

/** The largest is compressed alone. */
function hasRoom(length: number): boolean {
  return bodies === 0 || (bodies < MOST_BODIES && characters + length <= MOST_CHARACTERS);
}

/**
 * A document of the process itself in every coding, the smallest first; it takes some
 * milliseconds.
 */
export function encodedOnce(text: string): ReadonlyMap<Coding, Buffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return new Map<Coding, Buffer>([
    ['br', brotliCompressSync(text, { params })],
    ['gzip', gzipSync(text, { level: 9 })],
  ]);
}

/** The tag of the coded bytes, which need another strong tag (RFC 9110 §8.8.3.3). */
export function tagInCoding(etag: string, coding: Coding | undefined): string {
  return coding === undefined ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

/** Weights by coding, in lower case; unlisted ones are missing. */
type Wishes = ReadonlyMap<string, number>;

const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** A coding with an invalid weight is ignored. */
function parseAccepted(header: string): Wishes {
  const wishes = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const [weight = 'q=1'] = parameters;
    const [key, value = ''] = weight.split('=');
    if (name === '' || key !== 'q' || !WEIGHT.test(value)) continue;
    wishes.set(name === 'x-gzip' ? 'gzip' : name, Number(value));
  }
  return wishes;
}

/** The weightiest; `identity` wins only when it is listed with more weight. */
function preferred(wishes: Wishes, offered: readonly Coding[]): Coding | undefined {
  const rest = wishes.get('*') ?? 0;
  let most = wishes.get('identity') ?? 0;
  let best: Coding | undefined;
  for (const coding of offered) {
    const weight = wishes.get(coding) ?? rest;
    if (weight === 0 || (best === undefined ? weight < most : weight <= most)) continue;
    best = coding;
    most = weight;
  }
  return best;
}

function isIdentityRefused(wishes: Wishes): boolean {
  return (wishes.get('identity') ?? wishes.get('*')) === 0;
}
