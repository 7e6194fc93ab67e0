// The part of the difference between two definitions that is relationships: links are lost with theirs,
// and an end that may hold one link from now on must not hold more.

import { linkEnds } from '../../model/compile-relationships.ts';
import type { DefinitionDocument, RelationshipDefinition } from '../../model/definition.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/model.ts';
import { ownValue } from '../../model/own-value.ts';
import type { Steps } from '../../model/steps.ts';
import type { Change } from './change.ts';
import { change } from './change-notice.ts';
import { changedKeys } from './diff-entries.ts';
import type { LinkLimits } from './kinds/link-changes.ts';
import type { Requirement } from './requirement.ts';

interface Definition {
  readonly document: DefinitionDocument;
  readonly model: WorkspaceModel;
}

export function* diffRelationships(before: Definition | null, after: Definition): Steps<Change[]> {
  const [old, now] = [before?.document.relationships ?? {}, after.document.relationships ?? {}];
  const changes: Change[] = [];
  for (const key of new Set([...Object.keys(now), ...Object.keys(old)])) {
    yield;
    const [was, is] = [ownValue(old, key), ownValue(now, key)];
    if (was === undefined || before === null) {
      const path = `relationships.${key}`;
      changes.push(change({ kind: 'note', path }, `+ relationship ${key}`));
    } else changes.push(...diffRelationship({ key, was, is }, before.model, after.document));
  }
  return changes;
}

interface Compared {
  readonly key: string;
  readonly was: RelationshipDefinition;
  readonly is: RelationshipDefinition | undefined;
}

function diffRelationship(
  { key, was, is }: Compared,
  before: WorkspaceModel,
  after: DefinitionDocument,
): readonly Change[] {
  const words = is === undefined ? [] : changedKeys(was, is);
  if (is !== undefined && words.length === 0) return [];
  const summary =
    is === undefined ? `- relationship ${key}` : `~ relationship ${key} (${words.join(', ')})`;
  if (is?.from !== was.from || is.to !== was.to) {
    // With an object its links are given up already.
    const hasBoth = [was.from, was.to].every((type) => ownValue(after.objects, type));
    const loss = hasBoth ? `relationship:${key}` : null;
    return [change({ kind: 'drop_links', relationship: key }, summary, { loss })];
  }
  if (is.cardinality === was.cardinality) {
    return [change({ kind: 'note', path: `relationships.${key}` }, summary)];
  }
  const limits = { relationship: key, ...linkEnds(is.cardinality) };
  const requirements = narrowedEnds(was, limits, before);
  return [change({ kind: 'limit_links', ...limits }, summary, { requirements })];
}

/** What must hold at the ends that may hold fewer links than before. */
function narrowedEnds(
  was: RelationshipDefinition,
  { relationship, from_one, to_one }: LinkLimits,
  before: WorkspaceModel,
): readonly Requirement[] {
  const old = linkEnds(was.cardinality);
  const requirement = (end: 'from' | 'to'): Requirement => {
    const object = before.objects.get(was[end]) as ObjectModel;
    return { kind: 'links_single', object, relationship, end };
  };
  return [
    ...(from_one && !old.from_one ? [requirement('from')] : []),
    ...(to_one && !old.to_one ? [requirement('to')] : []),
  ];
}
