// The actions on all records that match, also on those that are not loaded: each one is a job of the service, with the
// confirmed number. Only what the person may do is offered.

import { Button } from '@mantine/core';
import type { Field, ObjectDefinition, Where } from '@workspace-records/client';
import { useState } from 'react';
import { changeOf } from '../../../lib/field-value.ts';
import { useT } from '../../../lib/messages/index.ts';
import { daysKept } from '../../../lib/trash.ts';
import { isEditable } from '../editable.ts';
import { MatchingDialog } from './matching-dialog.tsx';
import { MatchingEdit } from './matching-edit.tsx';
import { MatchingStatus } from './matching-status.tsx';
import { type MatchingQuestion, matchingParts, reachOf } from './selection.ts';

interface MatchingBarProps {
  readonly object: ObjectDefinition;
  readonly question: MatchingQuestion;
  /** Undefined until it is known. */
  readonly total: number | undefined;
  /** The records are gone. */
  readonly onDeleted: () => void;
  /** A dialog is closed. */
  readonly onClose: () => void;
}

export default function MatchingBar(props: MatchingBarProps) {
  const { object, question } = props;
  const t = useT();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const parts = matchingParts(object, question);
  const [updates, deletes] = [reachOf(object, 'update'), reachOf(object, 'delete')];
  if (parts === undefined) return null;
  const onClose = () => {
    setOpen(undefined);
    props.onClose();
  };
  const canEdit = object.fields.some((field) =>
    isEditable({ kind: 'field', id: field.key, field }),
  );
  return (
    <>
      {updates !== undefined && canEdit && (
        <Button variant="default" onClick={() => setOpen('edit')}>
          {t('grid.changeField')}
        </Button>
      )}
      {updates !== undefined && <MatchingStatus {...props} parts={[...parts, ...updates]} />}
      {deletes !== undefined && (
        <Button variant="default" onClick={() => setOpen('delete')}>
          {t('grid.delete')}
        </Button>
      )}
      {updates !== undefined && open === 'edit' && (
        <Update {...props} {...{ onClose }} parts={[...parts, ...updates]} />
      )}
      {deletes !== undefined && open === 'delete' && (
        <Delete {...props} {...{ onClose }} parts={[...parts, ...deletes]} />
      )}
    </>
  );
}

interface ChangeProps extends MatchingBarProps {
  readonly parts: readonly Where[];
}

/** First the field and its value, then the number. */
function Update({ object, parts, total, onClose }: ChangeProps) {
  const t = useT();
  const [chosen, setChosen] = useState<{ readonly field: Field; readonly value: unknown }>();
  if (chosen === undefined) {
    const onSave = (field: Field, value: unknown) => setChosen({ field, value });
    return <MatchingEdit {...{ object, onClose, onSave }} />;
  }
  const { field, value } = chosen;
  const name = field.name ?? field.key;
  return (
    <MatchingDialog
      {...{ object, total, onClose }}
      texts={[t('matching.forGood')]}
      title={(count) => t('matching.updateTitle', { count, field: name })}
      submit={(count) => t('matching.updateNow', { count })}
      wish={{
        type: object.object_type,
        parts,
        change: { action: 'update', fields: changeOf(field, value) },
        text: (count) => t('grid.fieldChanged', { count, field: name }),
      }}
      onEnded={onClose}
    />
  );
}

function Delete({ object, parts, total, onClose, onDeleted }: ChangeProps) {
  const t = useT();
  const days = daysKept(object);
  return (
    <MatchingDialog
      {...{ object, total, onClose }}
      isTyped
      texts={[days === undefined ? t('grid.deleteText') : t('trash.keptMany', { count: days })]}
      title={(count) => t('grid.deleteTitle', { count })}
      submit={(count) => t('grid.deleteNow', { count })}
      wish={{
        type: object.object_type,
        parts,
        change: { action: 'delete' },
        isKept: days !== undefined,
        text: (count) => t('grid.deleted', { count }),
      }}
      onEnded={() => {
        onDeleted();
        onClose();
      }}
    />
  );
}
