// The part of the difference between two definitions that is relationships. Pure.

import type { DefinitionDocument } from '../../../model/definition/definition.ts';
import type { WorkspaceModel } from '../../../model/definition/model.ts';
import type { Steps } from '../../../model/steps.ts';
import { ownValue } from '../../../model/text/own-value.ts';
import type { Change } from '../change.ts';
import { change } from '../change-notice.ts';
import { findLinks } from '../kinds/link-changes.ts';

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
    } else changes.push(...findLinks({ key, was, is }, before.model, after.document));
  }
  return changes;
}
