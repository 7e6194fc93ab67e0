// Entity tags (RFC 9110 §8.8.3): the version of the record, which preconditions of writes compare, and a digest of
// the answer, which shows whether a cached answer is still current (D160).

import { hash } from 'node:crypto';

/** 96 bits: a tag is compared with others of one resource only. */
const DIGEST_LENGTH = 16;
/** No version has one. */
const MARK = '.';

/** The strong tag of an answer with this content; the tag of a record begins with its version. */
export function entityTag(content: string | Buffer, version?: string): string {
  const digest = hash('sha1', content, 'base64url').slice(0, DIGEST_LENGTH);
  return version === undefined ? `"${digest}"` : `"${version}${MARK}${digest}"`;
}

/** Proxies that compress add their coding, such as Apache and lighttpd. */
const CODING = /-(?:gzip|br|deflate|zstd)$/;

/** The version in the text between the quotation marks of a tag; a version alone is itself. */
export function versionOfTag(token: string): string {
  const end = token.indexOf(MARK);
  return end === -1 ? token.replace(CODING, '') : token.slice(0, end);
}
