// The canary: the data of one workspace carries a text that must never be sent with a key of another. A test that
// makes a key names its workspace; the clients check every answer, headers included.

import { expect } from 'vitest';

/** Part of every value of the second workspace of a test database. */
export const CANARY = 'globex-canary-7f3a';

const canaries = new Set([CANARY]);
/** Secret of a key → the canaries its workspace may show. */
const ownCanaries = new Map<string, readonly string[]>();

/** Say that a canary belongs to the workspace of a key; keys without it are never sent it. */
export function guardKey(secret: string, own: string): void {
  canaries.add(own);
  ownCanaries.set(secret, [...(ownCanaries.get(secret) ?? []), own]);
}

/** Say that no canary belongs to the workspace of a key. */
export function disownKey(secret: string): void {
  ownCanaries.delete(secret);
}

/** Forget all keys and what belongs to their workspaces. */
export function forgetKeys(): void {
  ownCanaries.clear();
  canaries.clear();
  canaries.add(CANARY);
}

/** Refuse bytes with a canary of another workspace; without a known key all are foreign. */
export function expectNoCanary(secret: string | undefined, bytes: string): void {
  const own = ownCanaries.get(secret ?? '') ?? [];
  for (const canary of canaries) {
    if (!bytes.includes(canary) || own.includes(canary)) continue;
    expect.fail(
      `an answer has the text of another workspace: ${canary} in ${bytes.slice(0, 2000)}`,
    );
  }
}

/** The same for bytes of a connection whose requests are bytes too. */
export function expectNoForeignCanary(sent: string, received: string): void {
  const secrets = [...sent.matchAll(/^authorization: bearer (\S+)/gim)].map(([, secret]) => secret);
  const [secret] = secrets;
  expectNoCanary(secrets.every((other) => other === secret) ? secret : undefined, received);
}
