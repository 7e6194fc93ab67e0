// The passwords that people may choose: long ones that are neither their address nor among those that attackers try
// first. There are no rules of composition (NIST SP 800-63B §5.1.1.2).

import { readFileSync } from 'node:fs';
import { errorFromProblems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { packagePath } from '../../package-folder.ts';

/** A file with one password a line; lines that begin with `#!` name its source. */
const KNOWN_FILE = packagePath('definitions', 'known-passwords.txt');

let known: ReadonlySet<string> | undefined;

/** Errors: `validation_failed`. */
export function requireGoodPassword(password: string, email: string | null): void {
  const { minimum, maximum } = LIMITS.passwordLength;
  const { length } = [...password.normalize('NFKC')];
  if (length < minimum || length > maximum) {
    refuse(`The password must have ${minimum} to ${maximum} characters.`);
  }
  const plain = plainOf(password);
  const [mailbox = ''] = (email ?? '').split('@');
  if (email !== null && [plainOf(email), plainOf(mailbox)].includes(plain)) {
    refuse('The password must not be the e-mail address.');
  }
  known ??= readKnown();
  if (known.has(plain)) refuse('This password is too common. Choose another one.');
}

function refuse(message: string): never {
  throw errorFromProblems([{ param: 'password', code: 'validation_failed', message }]);
}

function plainOf(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

/** Read when the first password is set. */
function readKnown(): ReadonlySet<string> {
  const lines = readFileSync(KNOWN_FILE, 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#!')).map(plainOf));
}
