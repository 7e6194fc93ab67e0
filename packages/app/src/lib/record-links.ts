// Linking a record to another one and ending that, with the way back noted.

import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Relationship } from '@workspace-records/client';
import { translate } from './messages/index.ts';
import type { RecordPlace } from './relationships.ts';
import { type Session, useSession } from './session.ts';
import { noteUndo } from './undo.ts';

export interface LinkChange {
  readonly target: string;
  /** The name of the target. */
  readonly name: string;
  readonly isLinked: boolean;
}

export function useLinkChange(place: RecordPlace, relationship: Relationship) {
  const session = useSession();
  const queries = useQueryClient();
  const write = (change: LinkChange) =>
    writeLink(session, queries, { place, relationship, change });
  return useMutation({
    mutationFn: write,
    onSuccess(_, change) {
      const { name, isLinked } = change;
      const t = translate();
      noteUndo({
        text: isLinked ? t('linked.linked', { name }) : t('linked.unlinked', { name }),
        undo: () => write({ ...change, isLinked: !isLinked }),
        redo: () => write(change),
      });
    },
  });
}

interface LinkWrite {
  readonly place: RecordPlace;
  readonly relationship: Relationship;
  readonly change: LinkChange;
}

async function writeLink(session: Session, queries: QueryClient, write: LinkWrite): Promise<void> {
  const { place: recordPlace, relationship, change } = write;
  const records = session.client.records(recordPlace.type);
  const link = { id: recordPlace.id, association: relationship.id, target: change.target };
  try {
    await (change.isLinked ? records.link(link) : records.unlink(link));
  } finally {
    // Both ends, and a link that has replaced another one.
    void queries.invalidateQueries({
      predicate: ({ queryKey: [workspace, type, kind, id] }) =>
        workspace === session.workspace &&
        (kind === 'linked' ||
          (type === recordPlace.type && kind === 'activity' && id === recordPlace.id)),
    });
  }
}
