// From values of the file to values of a write: records and people are found by their names in the file, lists item
// by item, and a fallback replaces missing ones. It does no look-up itself.

import { cutText } from '../../errors.ts';
import { namingField } from '../../model/definition/naming-field.ts';
import { BEYOND, isTooDeep } from '../../model/text/json-depth.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import type { Parsed } from '../../model/values/parsed.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import type { ImportPlan } from '../mapping/compile-mapping.ts';
import { type Lookup, lookupOf, type Target } from '../mapping/compile-target.ts';
import {
  convertByMapping,
  convertValue,
  isExact,
  itemsOf,
  LOST_DIGITS,
  type ZonedValues,
} from './cell-values.ts';
import { MENTIONS_FIELD } from './comment-fields.ts';
import { standInFor } from './line-ids.ts';
import {
  canonicalValue,
  type People,
  personKey,
  type RecordFinder,
  type Resolutions,
} from './record-lookup.ts';
import { nameOf } from './row-names.ts';
import type { ZonedTimes } from './zoned-times.ts';

export interface RowScope {
  readonly plan: ImportPlan;
  readonly finder: RecordFinder;
  readonly zones: ZonedTimes;
  readonly people: People;
  /** True when a record of the same object that was not found may still come. */
  isExpected(lookup: Lookup, value: string): boolean;
  /** True in a dry run when an earlier file would make the record. */
  promises(lookup: Lookup, value: string): boolean;
}

/** Records, moments and days that the database has for the values of some rows. */
export interface LookedUp {
  readonly records: ReadonlyMap<Lookup, Resolutions>;
  readonly zoned: ZonedValues;
}

type ValueOrProblem =
  /** `isEmptied`: nothing was found, and the mapping says to leave the field empty. */
  { readonly value: unknown; readonly isEmptied?: boolean } | { readonly problem: string };
/** No record was found: it may still come, or an earlier file would make it; then with an id that no record has. */
type Awaited = { readonly pending: string } | { readonly promised: string };
type Resolved = ValueOrProblem | Awaited | { readonly missing: string };

/** The value for the write path, or the reason why there is none. */
export function resolveTarget(
  scope: RowScope,
  target: Target,
  given: unknown,
  found: LookedUp,
): ValueOrProblem | Awaited {
  if (target.field !== MENTIONS_FIELD) return resolveValue(scope, target, given, found);
  const items = itemsOf(target, given) ?? [given];
  const resolved = items.map((item) => resolveValue(scope, target, item, found));
  const ids = resolved.flatMap((one) => ('value' in one ? [one.value] : []));
  return resolved.find((one) => 'problem' in one) ?? { value: ids.filter((id) => id !== null) };
}

/** The fallback replaces a missing record. */
function resolveValue(
  scope: RowScope,
  target: Target,
  given: unknown,
  found: LookedUp,
): ValueOrProblem | Awaited {
  const { field, user, fallback } = target;
  const { refersTo, isAnyJson } = FIELD_TYPE_TRAITS[field.type];
  // JSON in a JSON line is taken unchanged, and text in it is a value.
  const isText = !(scope.plan.typed && isAnyJson);
  const resolve = (value: unknown): Resolved => {
    if (isText && !isExact(value)) return valueOrProblem(LOST_DIGITS);
    const lookup = lookupOf(target, value);
    if (lookup !== undefined) return findRecord(scope, lookup, value, found.records);
    if (user !== undefined) {
      // A person chose an address for a name.
      return findPerson(scope, String(value).includes('@') ? 'email' : user, value);
    }
    const written = convertByMapping(target, value, found.zoned);
    if ('problem' in written) return valueOrProblem(written);
    if (refersTo === 'user' && typeof value === 'string' && value.includes('@')) {
      return findPerson(scope, 'email', value);
    }
    const { value: made } = written;
    return valueOrProblem(isText ? convertValue(target, made) : jsonValue(made));
  };
  const first = resolve(given);
  if (!('missing' in first)) return first;
  if (fallback === null) return { value: null, isEmptied: true };
  const second = fallback === undefined ? first : resolve(fallback);
  return 'missing' in second ? { problem: second.missing } : second;
}

function valueOrProblem(parsed: Parsed): ValueOrProblem {
  return 'problem' in parsed ? { problem: `The value ${parsed.problem.text}.` } : parsed;
}

function jsonValue(value: unknown): Parsed {
  return isTooDeep(value) ? { problem: BEYOND.depth } : { value };
}

function findRecord(
  { plan, isExpected, promises }: RowScope,
  lookup: Lookup,
  given: unknown,
  found: ReadonlyMap<Lookup, Resolutions>,
): Resolved {
  const canonical = canonicalValue(lookup.field, given) ?? '';
  const resolution = found.get(lookup)?.get(canonical) ?? 'missing';
  if (typeof resolution === 'object') return { value: resolution.id };
  const reason = recordReason(lookup, given, resolution);
  if (resolution === 'ambiguous') return { problem: reason };
  if (promises(lookup, canonical)) return { promised: standInFor(nameOf(lookup, canonical)) };
  const isLater =
    lookup.object === plan.object && canonical !== '' && isExpected(lookup, canonical);
  if (isLater) return { pending: canonical };
  // Exports write the id of a record whose name is not unique.
  const id = lookup.field === namingField(lookup.object) ? parseRecordId(given) : undefined;
  return id === undefined ? { missing: reason } : { value: id };
}

function findPerson({ people }: RowScope, user: 'email' | 'name', given: unknown): Resolved {
  const resolution = people[user].get(personKey(user, String(given).trim())) ?? 'missing';
  if (typeof resolution === 'object') return { value: resolution.id };
  const kind = user === 'email' ? 'e-mail' : 'name';
  return resolution === 'ambiguous'
    ? { problem: `More than one person has the ${kind} ${quoted(given)}.` }
    : { missing: `No person has the ${kind} ${quoted(given)}.` };
}

/** Why a look-up has no answer. */
export function recordReason(
  { object, field }: Lookup,
  given: unknown,
  resolution: 'missing' | 'ambiguous',
): string {
  const many = resolution === 'ambiguous' ? 'More than one' : 'No';
  return `${many} ${object.singular_name} has the ${field.key} ${quoted(given)}.`;
}

/** A value as messages show it. */
export function quoted(value: unknown): string {
  return cutText(JSON.stringify(value), 200);
}
