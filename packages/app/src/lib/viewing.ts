// The person as whom this tab views, as an administrator: kept for the tab alone, so that the others stay their own
// person's. The service decides what is seen, and when it is over.

import { isRecordsError } from '@workspace-records/client';
import { readDraft, writeDraft } from './storage.ts';

interface Viewed {
  readonly workspace: string;
  readonly id: number;
}

const NAME = 'viewed person';

/** The id of the person; undefined: the tab is that of the person who signed in. */
export function viewedIn(workspace: string | undefined): number | undefined {
  const viewed = readDraft(NAME) as Viewed | undefined;
  return viewed?.workspace === workspace ? viewed?.id : undefined;
}

/** Loads the application again: nothing that was read before as somebody else may stay. */
export function beginHere(viewed: Viewed): void {
  writeDraft(NAME, viewed);
  location.assign(`/app/${viewed.workspace}`);
}

/** `to`: a path below the workspace. */
export function endHere(workspace: string, to = ''): void {
  writeDraft(NAME, undefined);
  location.assign(`/app/${workspace}${to}`);
}

/** The service has ended it: after its time, or with the session. */
export function leaveEnded(error: unknown): boolean {
  const viewed = readDraft(NAME) as Viewed | undefined;
  const isOver =
    isRecordsError(error, 'viewing_ended') || isRecordsError(error, 'invalid_credentials');
  if (viewed === undefined || !isOver) return false;
  endHere(viewed.workspace);
  return true;
}
