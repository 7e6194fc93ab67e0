// The tokens of sessions, sign-in links and sign-ins under way: 256 random bits as text. The database holds
// their SHA-256 only (docs/decisions.md, D213).

import { randomBytes } from 'node:crypto';

const BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
/** The end of an id of a session is random; its start is the time. */
const SHORT_ID_LENGTH = 8;

/** 43 characters that need no encoding in cookies and addresses. */
export function makeToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** True for text that can be a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The part of a session's id that people see. */
export function shortSessionId(id: string): string {
  return id.slice(-SHORT_ID_LENGTH);
}
