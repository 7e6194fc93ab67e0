// Optimistic concurrency: the version token of a record, and what `If-Match`, `If-None-Match` or
// `expected_version` require of it. Pure; whether it holds is checked against the locked row.

import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { versionOfTag } from '../../model/values/entity-tag.ts';

/** The required current version, or only that the record exists. */
export type Precondition =
  | {
      /** One of these tokens. */
      readonly any_of?: readonly string[];
      /** None of these tokens; `any`: the record must not exist. */
      readonly none_of?: readonly string[] | 'any';
    }
  | 'exists';

/** The headers of a request that make it conditional (RFC 9110 §13.1). */
export interface ConditionalHeaders {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Counter and end of the id, so that no two records share a token (D75). */
export function versionToken(row: Readonly<Record<string, unknown>>): string {
  return `${row.version}-${String(row.id).slice(-12)}`;
}

const ENTITY_TAG = /\s*(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(,|$)/y;
const HEADER_LENGTH = 4096;

/** The precondition of a write, from its headers and `expected_version`. */
export function parsePreconditions(
  { ifMatch, ifNoneMatch }: ConditionalHeaders,
  expectedVersion?: string,
): Precondition | undefined {
  const wanted = combinePreconditions(parseIfMatch(ifMatch), expectedVersion);
  if (ifNoneMatch === undefined) return wanted;
  const none_of = parseTags(ifNoneMatch, 'If-None-Match');
  return wanted === undefined || wanted === 'exists' ? { none_of } : { ...wanted, none_of };
}

/** Parse `If-Match`: `*` or a list of tags. Proxies that compress make tags weak, but not the version in them (D692). */
export function parseIfMatch(header: string | undefined): Precondition | undefined {
  if (header === undefined) return undefined;
  const tags = parseTags(header, 'If-Match');
  if (tags === 'any') return 'exists';
  return { any_of: tags };
}

/** The versions in the tags, without digests: a write compares the version, whatever was shown of the record (D160). */
function parseTags(header: string, name: string): readonly string[] | 'any' {
  if (header.trim() === '*') return 'any';
  const tags: string[] = [];
  ENTITY_TAG.lastIndex = 0;
  for (;;) {
    const match = header.length > HEADER_LENGTH ? null : ENTITY_TAG.exec(header);
    if (match === null) {
      const message = say('versions_malformed', { name });
      throw new ApiError('validation_failed', { param: name, message });
    }
    tags.push(versionOfTag(match[1] as string));
    if (match[2] === '') return tags;
  }
}

/** The ETag as a client received it from a proxy that compresses. */
const WEAK_TAG = /^W\/"([^"]*)"$/;

/** Combine header and body; two that differ are refused rather than one ignored (D47). */
export function combinePreconditions(
  ifMatch: Precondition | undefined,
  expectedVersion: string | undefined,
): Precondition | undefined {
  if (expectedVersion === undefined) return ifMatch;
  const version = versionOfTag(WEAK_TAG.exec(expectedVersion)?.[1] ?? expectedVersion);
  const same =
    ifMatch === undefined ||
    ifMatch === 'exists' ||
    (ifMatch.any_of?.length === 1 && ifMatch.any_of[0] === version);
  if (!same || expectedVersion.length > LIMITS.versionLength) {
    const message = say('preconditions_disagree');
    throw new ApiError('validation_failed', { param: 'expected_version', message });
  }
  return { any_of: [version] };
}

/** True when the row's version meets the precondition. */
export function isMet(
  precondition: Precondition | undefined,
  row: Readonly<Record<string, unknown>>,
): boolean {
  if (precondition === undefined || precondition === 'exists') return true;
  const { any_of, none_of } = precondition;
  const token = versionToken(row);
  if (none_of === 'any' || none_of?.includes(token) === true) return false;
  return any_of === undefined || any_of.includes(token);
}
