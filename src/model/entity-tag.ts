// Entity tags (RFC 9110 §8.8.3). A digest of the answer tells whether what a client keeps of it is still
// what it would get; the version of a record before it is what a write is judged by (D160).

import { hash } from 'node:crypto';

/** 96 bits: a tag is compared with others of one resource only. */
const DIGEST_LENGTH = 16;
/** No version has one. */
const MARK = '.';

/** The strong tag of an answer of this text; of a record, its version stands first. */
export function entityTag(text: string, version?: string): string {
  const digest = hash('sha1', text, 'base64url').slice(0, DIGEST_LENGTH);
  return version === undefined ? `"${digest}"` : `"${version}${MARK}${digest}"`;
}

/** The version in what stands between the quotation marks of a tag; a version alone is itself. */
export function versionOfTag(token: string): string {
  const end = token.indexOf(MARK);
  return end === -1 ? token : token.slice(0, end);
}
