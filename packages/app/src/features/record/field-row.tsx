// A field of a record: its name and value, and in place of the value its editor. An unsaved draft is kept in this
// tab, also when the page is closed.

import { UnstyledButton } from '@mantine/core';
import type { Field, RecordData } from '@workspace-records/client';
import { useEffect, useId, useRef, useState } from 'react';
import { type FieldDraft, FieldEditor } from '../../editing/field-editor.tsx';
import { editOf } from '../../fields/edits.ts';
import { showOf } from '../../fields/shows.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { readDraft, writeDraft } from '../../lib/storage.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/icon.tsx';
import classes from './field-row.module.css';

interface FieldRowProps {
  readonly field: Field;
  readonly record: RecordData;
  readonly canChange: boolean;
  /** Why it is not edited although the record may be changed. */
  readonly lock?: PlainKey | undefined;
}

export function FieldRow({ field, record, canChange, lock }: FieldRowProps) {
  const id = useId();
  const name = `${record.object_type}/${record.id}/${field.key}`;
  const [kept, setKept] = useState(() => readDraft(name) as FieldDraft | undefined);
  const [isOpen, setOpen] = useState(kept !== undefined);
  const button = useRef<HTMLButtonElement>(null);
  const edit = canChange ? editOf(field) : undefined;
  const value = fieldValue(record, field);
  const keep = (draft: FieldDraft | undefined) => {
    writeDraft(name, draft);
    setKept(draft);
  };
  const close = () => {
    keep(undefined);
    setOpen(false);
  };
  // After an edit with the keys the focus stays at this row, unless it has moved elsewhere meanwhile.
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (wasOpen.current && !isOpen && isLost) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <div className={classes.row}>
      <span id={id} className={classes.label}>
        {field.name ?? field.key}
      </span>
      {edit !== undefined && isOpen ? (
        <FieldEditor {...{ field, record, edit, kept, keep }} labelId={id} onClose={close} />
      ) : (
        <Value
          {...{ field, value, button, lock }}
          labelId={id}
          onEdit={edit === undefined ? undefined : () => setOpen(true)}
        />
      )}
    </div>
  );
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

/** Types whose values are links: a button around a link would be neither. */
const LINKS: ReadonlySet<string> = new Set(['reference', 'email', 'url']);

function Value({ field, value, labelId, button, onEdit, lock }: ValueProps) {
  const t = useT();
  const { Show } = showOf(field);
  const shown =
    value === null ? (
      <span className={classes.empty}>–</span>
    ) : (
      <Show value={value} field={field} />
    );
  if (onEdit === undefined) {
    return (
      <div className={classes.value}>
        <span className={classes.content}>{shown}</span>
        {lock !== undefined && <Lock reason={t(lock)} />}
      </div>
    );
  }
  if (LINKS.has(field.type) && value !== null) {
    return (
      <div className={classes.value}>
        <span className={classes.link}>{shown}</span>
        <UnstyledButton ref={button} className={classes.change} onClick={onEdit}>
          {t('record.change')}
          <Hidden>{field.name ?? field.key}</Hidden>
        </UnstyledButton>
      </div>
    );
  }
  const valueId = `${labelId}-value`;
  return (
    <UnstyledButton
      ref={button}
      className={`${classes.value} ${classes.editable}`}
      onClick={onEdit}
      aria-labelledby={`${labelId} ${valueId}`}
    >
      <span id={valueId} className={classes.content}>
        {shown}
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
