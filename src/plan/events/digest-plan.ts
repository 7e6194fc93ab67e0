// The notifications that a person may know of in a mail, by their rights of this moment: of records that they can read,
// and of each its display name when they can read that field. Pure.

import type { Field, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, canReadField } from '../../model/rights/access.ts';
import { type NotificationScope, planNotificationScope } from './notification-plan.ts';

export interface DigestScope extends NotificationScope {
  /** The display field of an object, where the person can read it. */
  readonly displays: ReadonlyMap<ObjectModel, Field>;
}

export function planDigest(model: WorkspaceModel, caller: Caller): DigestScope {
  const scope = planNotificationScope(model, caller);
  const displays = scope.readable.flatMap(({ object }) => {
    const field = object.fields.get(object.display_field ?? '');
    return field !== undefined && canReadField(caller, object, field)
      ? [[object, field] as const]
      : [];
  });
  return { ...scope, displays: new Map(displays) };
}
