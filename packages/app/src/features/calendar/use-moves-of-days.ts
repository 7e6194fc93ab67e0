// Moving a record to another day: shown at once, saved under its version, undone by the person.

import { useQueryClient } from '@tanstack/react-query';
import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { fieldValue } from '../../lib/field-value.ts';
import { makeKey } from '../../lib/idempotency-key.ts';
import { useT } from '../../lib/messages/index.ts';
import { refreshLists } from '../../lib/record-lists.ts';
import { recordName } from '../../lib/record-name.ts';
import { saveField } from '../../lib/record-writes.ts';
import { useSession } from '../../lib/session.ts';
import { noteUndo } from '../../lib/undo.ts';
import { zoneOfBrowser } from '../../lib/zoned-time.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { useDayNames } from './day-names.ts';
import { dayOfValue, valueOnDay } from './days.ts';

interface Move {
  readonly record: RecordData;
  readonly day: string;
  readonly value: unknown;
}

const NONE: ReadonlyMap<string, Move> = new Map();

export function useMoves({ object_type: type }: ObjectDefinition, field: Field) {
  const t = useT();
  const { whole } = useDayNames();
  const session = useSession();
  const queries = useQueryClient();
  const [moved, setMoved] = useState(NONE);
  // Another move of the record may have followed, which stays.
  const settle = (settled: Move) =>
    setMoved((moves) => new Map([...moves].filter(([, one]) => one !== settled)));
  const write = (id: string, value: unknown, base: unknown) =>
    saveField(session, queries, { type, id }, { field, value, base, key: makeKey() });
  const again = () => refreshLists(queries, session.workspace, type);
  const move = async (record: RecordData, day: string) => {
    const underWay = moved.get(record.id);
    const before = underWay === undefined ? fieldValue(record, field) : underWay.value;
    const zone = zoneOfBrowser();
    const value = valueOnDay(day, before, field, zone);
    if (value === undefined || dayOfValue(before, field, zone) === day) return;
    const entry = { record, day, value };
    setMoved((others) => new Map([...others, [record.id, entry]]));
    try {
      await write(record.id, value, before);
      const name = recordName(record);
      noteUndo({
        text: t('calendar.dropped', { name, day: whole(day) }),
        undo: () => write(record.id, before, value).then(again),
        redo: () => write(record.id, value, before).then(again),
      });
    } catch (error) {
      // At once: the list may not be read for long either.
      settle(entry);
      showToast({ text: problemText(error, t), isProblem: true });
    }
    await again();
    settle(entry);
  };
  return { moved, move: (record: RecordData, day: string) => void move(record, day) };
}
