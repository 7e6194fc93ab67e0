// Optimistic concurrency: the version token of a record, and what `If-Match` or `expected_version`
// demand of it. Pure; whether a demand is met is judged against the locked row.

import { ApiError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** What the current version must be: any of these tokens, or only that the record exists. */
export type Precondition = { readonly any_of: readonly string[] } | 'exists';

/** Counter and end of the id, so that no two records share a token (D75). */
export function versionToken(row: Readonly<Record<string, unknown>>): string {
  return `${row.version}-${String(row.id).slice(-12)}`;
}

const ENTITY_TAG = /\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(,|$)/y;
const HEADER_LENGTH = 4096;

/** Parse `If-Match`: `*` or a list of tags, of which weak ones never match (D47). */
export function parseIfMatch(header: string | undefined): Precondition | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'exists';
  const tokens: string[] = [];
  ENTITY_TAG.lastIndex = 0;
  for (;;) {
    const match = header.length > HEADER_LENGTH ? null : ENTITY_TAG.exec(header);
    if (match === null) {
      const message = 'If-Match must be "*" or a list of quoted versions.';
      throw new ApiError('validation_failed', { param: 'If-Match', message });
    }
    if (match[1] === undefined) tokens.push(match[2] as string);
    if (match[3] === '') return { any_of: tokens };
  }
}

/** Combine header and body; two that differ are refused rather than one ignored (D47). */
export function combinePreconditions(
  ifMatch: Precondition | undefined,
  expectedVersion: string | undefined,
): Precondition | undefined {
  if (expectedVersion === undefined) return ifMatch;
  const same =
    ifMatch === undefined ||
    ifMatch === 'exists' ||
    (ifMatch.any_of.length === 1 && ifMatch.any_of[0] === expectedVersion);
  if (!same || expectedVersion.length > LIMITS.versionLength) {
    const message = 'expected_version and If-Match must agree.';
    throw new ApiError('validation_failed', { param: 'expected_version', message });
  }
  return { any_of: [expectedVersion] };
}

/** True when the row's version is one that was demanded. */
export function isMet(
  precondition: Precondition | undefined,
  row: Readonly<Record<string, unknown>>,
): boolean {
  if (precondition === undefined || precondition === 'exists') return true;
  return precondition.any_of.includes(versionToken(row));
}
