// Events that came within a moment, put together: what is to be read again is read once, however often it was changed.

import type { LiveEvent, RecordEvent } from '@workspace-records/client';

export interface RecordChange {
  /** The version of the record after the change; undefined: not known. */
  version: string | undefined;
  /** Keys that may have changed. */
  readonly fields: Set<string>;
  /** True when the person may not have seen the record before. */
  isNew: boolean;
}

export interface TypeChanges {
  readonly changed: Map<string, RecordChange>;
  /** Deleted, or given to somebody else. */
  readonly gone: Set<string>;
  readonly commented: Set<string>;
}

export interface Gathered {
  readonly types: Map<string, TypeChanges>;
  isNotified: boolean;
  /** Somebody has asked for a move, or decided about one. */
  areRequestsOld: boolean;
  /** Objects and rights may have changed, and with them all that is shown. */
  areRightsOld: boolean;
  /** Records may have come that no event names. */
  areListsOld: boolean;
  /** The object types of which records may have come that no event names. */
  readonly oldTypes: Set<string>;
}

/** Records; of more than that only what is shown is read, and lists say that they may have changed. */
const MOST = 2000;
const OWNER = 'owner_user_id';
const GONE: ReadonlySet<string> = new Set([
  ...['record.deleted', 'record.merged', 'record.erased'],
]);

const NEW: ReadonlySet<string> = new Set(['record.created', 'record.entered', 'record.restored']);

export function openGathered(): Gathered {
  return {
    types: new Map(),
    isNotified: false,
    areRequestsOld: false,
    areRightsOld: false,
    areListsOld: false,
    oldTypes: new Set(),
  };
}

export function isEmpty(gathered: Gathered): boolean {
  const { types, isNotified, areRequestsOld, areRightsOld } = gathered;
  return types.size === 0 && !isNotified && !areRequestsOld && !areRightsOld;
}

export function gather(gathered: Gathered, { event, data }: LiveEvent): void {
  if (event === 'notification.created') gathered.isNotified = true;
  else if (event === 'reset') noteGap(gathered);
  else if ('status_request' in data) gathered.areRequestsOld = true;
  else if (event === 'definition.changed') gathered.areRightsOld = true;
  else if (event === 'reach.changed') {
    gathered.areRightsOld = true;
    for (const type of data.object_types) gathered.oldTypes.add(type);
  } else {
    const { changed, gone, commented } = typeOf(gathered, data.object_type);
    const { record_id: id } = data;
    if (event === 'comment.created') commented.add(id);
    else if (event === 'record.left' || GONE.has(event)) {
      changed.delete(id);
      gone.add(id);
    } else {
      const before = gone.delete(id) ? undefined : changed.get(id);
      changed.set(id, changeOf(before, data));
      if (changed.size > MOST) noteGap(gathered);
    }
  }
}

/** All that is shown will be read again, and with it what was gathered. */
export function noteGap(gathered: Gathered): void {
  gathered.areRightsOld = true;
  gathered.areListsOld = true;
  gathered.isNotified = true;
  gathered.areRequestsOld = true;
  gathered.types.clear();
}

function changeOf(
  before: RecordChange | undefined,
  { type, version, changed_fields }: RecordEvent,
): RecordChange {
  const isNew = NEW.has(type);
  return {
    version,
    fields: new Set([...(before?.fields ?? []), ...changed_fields]),
    isNew: isNew || before?.isNew === true || changed_fields.includes(OWNER),
  };
}

function typeOf({ types }: Gathered, type: string): TypeChanges {
  const known = types.get(type);
  if (known !== undefined) return known;
  const made = { changed: new Map(), gone: new Set<string>(), commented: new Set<string>() };
  types.set(type, made);
  return made;
}
