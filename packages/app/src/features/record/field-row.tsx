// A field of a record: its name and value, and in place of the value its editor. An unsaved edit is offered below the
// value; it is never opened by itself.

import { UnstyledButton } from '@mantine/core';
import type { Field, RecordData } from '@workspace-records/client';
import { useEffect, useId, useRef, useState } from 'react';
import { FieldEditor } from '../../editing/field-editor.tsx';
import { UnsavedNote } from '../../editing/unsaved/unsaved-note.tsx';
import { editOf } from '../../fields/edits.ts';
import { RecordOfFiles } from '../../fields/field-place.ts';
import { kindOf } from '../../fields/kinds.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { fieldPlace } from '../../lib/unsaved-edits.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/icon.tsx';
import classes from './field-row.module.css';
import { FilesRow } from './files-row.tsx';

interface FieldRowProps {
  readonly field: Field;
  readonly record: RecordData;
  readonly canChange: boolean;
  /** Why it is not edited although the record may be changed. */
  readonly lock?: PlainKey | undefined;
  /** Over the whole width. */
  readonly isWide?: boolean;
}

export function FieldRow({ field, record, canChange, lock, isWide = false }: FieldRowProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const edit = canChange ? editOf(field) : undefined;
  const value = fieldValue(record, field);
  const open = edit === undefined ? undefined : () => setOpen(true);
  useFocusBack(button, isOpen);
  return (
    <div className={classes.row} data-wide={isWide || undefined}>
      <span id={id} className={classes.label}>
        {field.name ?? field.key}
      </span>
      {edit !== undefined && kindOf(field).edit.control === 'files' ? (
        <FilesRow {...{ field, record }} labelId={id} />
      ) : edit !== undefined && isOpen ? (
        <FieldEditor {...{ field, record, edit }} labelId={id} onClose={() => setOpen(false)} />
      ) : (
        <RecordOfFiles value={record}>
          <Value {...{ field, value, button, lock }} labelId={id} onEdit={open} />
          <UnsavedNote place={fieldPlace(record, field)} onContinue={open} />
        </RecordOfFiles>
      )}
    </div>
  );
}

/** Returns the focus to the edited value after an edit with the keys, unless it has moved elsewhere meanwhile. */
export function useFocusBack(
  button: React.RefObject<HTMLButtonElement | null>,
  isOpen: boolean,
): void {
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (wasOpen.current && !isOpen && isLost) button.current?.focus();
    wasOpen.current = isOpen;
  }, [button, isOpen]);
}

interface ValueProps {
  readonly field: Field;
  readonly value: unknown;
  readonly labelId: string;
  readonly button: React.RefObject<HTMLButtonElement | null>;
  /** Undefined: it cannot be edited. */
  readonly onEdit: (() => void) | undefined;
  readonly lock: PlainKey | undefined;
}

function Value({ field, value, labelId, button, onEdit, lock }: ValueProps) {
  const t = useT();
  const { Show } = kindOf(field);
  const content =
    value === null ? (
      <span className={classes.empty}>–</span>
    ) : (
      <Show value={value} field={field} />
    );
  if (onEdit === undefined) {
    return (
      <div className={classes.value}>
        <span className={classes.content}>{content}</span>
        {lock !== undefined && <Lock reason={t(lock)} />}
      </div>
    );
  }
  // A button around a link would be neither.
  if (kindOf(field).isLink && value !== null) {
    return (
      <div className={classes.value}>
        <span className={classes.link}>{content}</span>
        <UnstyledButton ref={button} data-edit className={classes.change} onClick={onEdit}>
          <Icon name="pencil" size={12} />
          <Hidden>{t('record.rename', { field: field.name ?? field.key })}</Hidden>
        </UnstyledButton>
      </div>
    );
  }
  const valueId = `${labelId}-value`;
  return (
    <UnstyledButton
      ref={button}
      data-edit
      className={`${classes.value} ${classes.editable}`}
      onClick={onEdit}
      aria-labelledby={`${labelId} ${valueId}`}
    >
      <span id={valueId} className={classes.content}>
        {content}
        {value === null && <Hidden>{t('field.empty')}</Hidden>}
      </span>
    </UnstyledButton>
  );
}

function Lock({ reason }: { readonly reason: string }) {
  return (
    <span className={classes.lock} title={reason}>
      <Icon name="lock" size={12} />
      <Hidden>{reason}</Hidden>
    </span>
  );
}
