// A record that is made in a column: its initial values come from the column and the filters of the board, and where
// it is not on the board all the same, a note reports it.

import type { RecordData } from '@workspace-records/client';
import { type CreationRequest, openCreation } from '../../editing/creation.ts';
import { useT } from '../../lib/messages/index.ts';
import { presetOf } from '../../lib/presets.ts';
import { readPage } from '../../lib/record-lists.ts';
import { recordName } from '../../lib/record-name.ts';
import { useSession } from '../../lib/session.ts';
import { showToast } from '../../ui/toast.ts';
import { useBoard } from './board-context.ts';
import type { BoardColumn } from './columns.ts';

export function useNewCard(column: BoardColumn): () => void {
  const t = useT();
  const session = useSession();
  const { object, questionOf } = useBoard();
  return () => {
    const question = questionOf(column);
    const onCreated = async ({ object_type: type, id, display }: RecordData) => {
      const where = [...question.where, { field: 'id', op: 'in' as const, value: [id] }];
      const asked = { ...question, where, fields: [], expand: [], isBesideOthers: false };
      const { data } = await readPage(session, type, asked, { limit: 1 });
      const name = recordName({ display });
      if (data.length === 0) showToast({ text: t('board.leftOut', { name }) });
    };
    const request: CreationRequest = {
      type: object.object_type,
      preset: presetOf(object, question.where),
      // A failed query is not reported: the record is there.
      onCreated: (record) => void onCreated(record).catch(() => undefined),
    };
    openCreation(request);
  };
}
