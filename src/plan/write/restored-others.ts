// The other records of a restored one: links to them, and their references to it. What was set meanwhile stays as it is;
// a record that is in the trash as well gets its part when it comes back. Pure.

import {
  canReadField,
  isWithinReach,
  objectAccess,
  reachColumn,
} from '../../model/rights/access.ts';
import type { Row } from '../../model/values/row.ts';
import { canReadLinked } from '../read/linked-plan.ts';
import type {
  OtherReference,
  OwnLink,
  RestoreFindings,
  RestoreQuestion,
  ReturningReferences,
  WaitingFor,
} from './restore-question.ts';
import type { TrashScope } from './trash-plan.ts';
import { currentValue, type LinkedPair, recordKey } from './write-validation.ts';

interface LinkedAgain {
  readonly pairs: readonly LinkedPair[];
  readonly waiting: readonly WaitingFor[];
  /** Links that do not come back now, as far as the caller may know of them. */
  readonly missing: number;
}

export function linkedAgain(
  { caller, object }: TrashScope,
  { links }: RestoreQuestion,
  { present, trashed, taken }: RestoreFindings,
): LinkedAgain {
  const ends = new Set(taken.flatMap(takenEnds));
  const pairs: LinkedPair[] = [];
  const waiting: WaitingFor[] = [];
  let missing = 0;
  for (const { link, pair, relationship, other, id } of links) {
    const key = recordKey(other, id);
    const own = endsOf(pair);
    if (present.has(key) && !own.some((end) => ends.has(end))) {
      pairs.push(pair);
      for (const end of own) ends.add(end);
      continue;
    }
    if (canReadLinked(caller, object, other, relationship)) missing += 1;
    if (!trashed.has(key)) continue;
    waiting.push({ object: other, id, links: [seenFrom(pair, link)], cleared: [], columns: [] });
  }
  return { pairs, waiting, missing };
}

/** A link of an object with itself counts as the row that begins at the record. */
function seenFrom({ via, from_id, to_id }: LinkedPair, link: OwnLink['link']): OwnLink['link'] {
  return via.side === 'both' ? { ...link, from_id: to_id, to_id: from_id } : link;
}

/** Names of the ends of a link that can have no other link. */
function endsOf({ via, from_id, to_id }: LinkedPair): readonly string[] {
  const { key, from_one, to_one } = via;
  return [
    ...(from_one ? [`${key} from ${from_id}`] : []),
    ...(to_one ? [`${key} to ${to_id}`] : []),
  ];
}

function takenEnds({ relationship, from_id, to_id }: OwnLink['link']): readonly string[] {
  return [`${relationship} from ${from_id}`, `${relationship} to ${to_id}`];
}

interface ReferringAgain {
  readonly references: readonly ReturningReferences[];
  readonly waiting: readonly WaitingFor[];
  /** References that were set meanwhile, as far as the caller may read them. */
  readonly missing: number;
}

export function referringAgain(
  scope: TrashScope,
  { cleared }: RestoreQuestion,
  { referrers, trashed }: RestoreFindings,
): ReferringAgain {
  const references = new Map<string, ReturningReferences>();
  const waiting: WaitingFor[] = [];
  let missing = 0;
  for (const reference of cleared) {
    const { object, id, field } = reference;
    const key = recordKey(object, id);
    const before = referrers.get(key);
    if (before === undefined) {
      const columns = [field.column];
      if (trashed.has(key)) waiting.push({ object, id, links: [], cleared: [], columns });
    } else if (currentValue(before, field) !== null) {
      missing += Number(isReadable(scope, reference, before));
    } else {
      const known = references.get(key)?.fields ?? [];
      references.set(key, { object, id, before, fields: [...known, field] });
    }
  }
  return { references: [...references.values()], waiting, missing };
}

function isReadable({ caller }: TrashScope, { object, field }: OtherReference, row: Row): boolean {
  const { read } = objectAccess(caller, object).reach;
  const owner = (row[reachColumn(object)] ?? null) as number | null;
  return isWithinReach(caller, read, owner) && canReadField(caller, object, field);
}
