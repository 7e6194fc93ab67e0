// A field for files on the page of a record: its files, and the control that adds and removes them. Each change is saved
// at once.

import { useQueryClient } from '@tanstack/react-query';
import type { Field, RecordData } from '@workspace-records/client';
import { RecordOfFiles } from '../../fields/field-place.ts';
import { FileControl } from '../../fields/file/file-control.tsx';
import { type FileValue, filesIn } from '../../fields/file/file-values.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { makeKey } from '../../lib/idempotency-key.ts';
import { useT } from '../../lib/messages/index.ts';
import { isConflict, saveField, useSave } from '../../lib/record-writes.ts';
import { useSession } from '../../lib/session.ts';
import { noteUndo } from '../../lib/undo.ts';
import { problemText } from '../../ui/problem.tsx';
import classes from './field-row.module.css';

interface FilesRowProps {
  readonly field: Field;
  readonly record: RecordData;
  readonly labelId: string;
}

export function FilesRow({ field, record, labelId }: FilesRowProps) {
  const t = useT();
  const { value, save, error } = useFileSave(field, record);
  return (
    <RecordOfFiles value={record}>
      <FileControl
        field={field}
        id={`${labelId}-edit`}
        files={filesIn(value)}
        savedFiles={filesIn(fieldValue(record, field))}
        onChange={save}
      />
      {error !== null && (
        <p role="alert" className={classes.problem}>
          {isConflict(error) ? t('file.changed') : problemText(error, t)}
        </p>
      )}
    </RecordOfFiles>
  );
}

function useFileSave(field: Field, record: RecordData) {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  const recordPlace = { type: record.object_type, id: record.id };
  const { mutateAsync, error, isPending, variables } = useSave(recordPlace.type, recordPlace.id);
  // The next change follows the one that is being saved.
  const base = isPending ? variables.value : fieldValue(record, field);
  const save = (files: readonly FileValue[]) => {
    const value = files.length === 0 ? null : files;
    const write = (next: unknown, before: unknown) =>
      saveField(session, queries, recordPlace, {
        field,
        value: next,
        base: before,
        key: makeKey(),
      });
    mutateAsync({ field, value, base, key: makeKey() }).then(
      () => {
        const text = t('record.changed', { field: field.name ?? field.key });
        const [undo, redo] = [() => write(base, value), () => write(value, base)];
        noteUndo({ text, isQuiet: true, undo, redo });
      },
      () => undefined,
    );
  };
  return { value: base, save, error };
}
