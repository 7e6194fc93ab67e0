// The editing of a field: Enter saves, Escape discards, leaving it saves too. A choice is saved when it is made. The
// typed text is an unsaved edit until the service has confirmed it.

import { Button, Group, Text } from '@mantine/core';
import type { Field, RecordData } from '@workspace-records/client';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type AnyFieldEdit, parseEdited } from '../fields/field-edit.ts';
import { ruleProblem } from '../lib/field-rules.ts';
import { fieldValue, isSame } from '../lib/field-value.ts';
import { useLanguage, useT } from '../lib/messages/index.ts';
import { fieldPlace, useEdit, useOpenEdit } from '../lib/unsaved-edits.ts';
import classes from './field-editor.module.css';
import { dropDraft, keepDraft, saveEdit, useSaving } from './save-edits.ts';

interface FieldEditorProps {
  readonly field: Field;
  readonly record: RecordData;
  readonly edit: AnyFieldEdit;
  readonly labelId: string;
  readonly onClose: () => void;
}

export function FieldEditor(props: FieldEditorProps) {
  const { field, edit, labelId } = props;
  const t = useT();
  const problemId = useId();
  const { draft, change, save, close, isSaving, problem } = useFieldDraft(props);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = root.current?.querySelector<HTMLElement>('input, select, textarea');
    if (edit.isGroup !== true) element?.setAttribute('aria-labelledby', labelId);
    element?.focus();
    if (element instanceof HTMLInputElement && element.type === 'text') element.select();
  }, [labelId, edit]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the events of the editor inside it.
    <div
      ref={root}
      className={classes.editor}
      aria-busy={isSaving}
      onKeyDown={(event) => onKey(event, { save: () => save(draft), close, edit })}
      onBlur={(event) => {
        if (hasLeft(event)) save(draft);
      }}
    >
      <edit.Edit
        {...{ draft, field, onChange: change }}
        id={`${labelId}-edit`}
        isInvalid={problem !== undefined}
        describedBy={problem === undefined ? undefined : problemId}
      />
      {problem !== undefined && (
        <Text id={problemId} c="var(--red)" fz="xs" mt="xs" role="alert">
          {problem}
        </Text>
      )}
      {(edit.isMultiline === true || problem !== undefined) && (
        <Group wrap="nowrap" gap="sm" my={6}>
          <Button loading={isSaving} onClick={() => save(draft)}>
            {t('record.save')}
          </Button>
          <Button variant="default" onClick={close}>
            {t('record.cancel')}
          </Button>
        </Group>
      )}
    </div>
  );
}

function useFieldDraft({ field, record, edit, onClose }: FieldEditorProps) {
  const t = useT();
  const language = useLanguage();
  const saving = useSaving();
  const subject = fieldPlace(record, field);
  const unsaved = useEdit(subject);
  useOpenEdit(subject);
  const [first] = useState(() => {
    const base = fieldValue(record, field);
    return { base, draft: edit.start(base, language) };
  });
  const { draft, base, wish } = unsaved ?? { ...first, wish: undefined };
  const [refused, setRefused] = useState<string>();
  useClosing(unsaved === undefined, wish !== undefined, onClose);
  const isSaving = wish !== undefined && unsaved?.problem === undefined;
  const save = (next: unknown) => {
    const parsed = parseEdited(edit, { draft: next, began: base }, language);
    if ('problem' in parsed) return setRefused(t(parsed.problem));
    const { value } = parsed;
    if (isSaving && isSame(value, wish.value)) return;
    // Another person may have changed the field since the editing began.
    const isUnchanged = isSame(value, base) || isSame(value, fieldValue(record, field));
    if (!isSaving && isUnchanged) return close();
    const broken = ruleProblem(field, value, t);
    setRefused(broken);
    if (broken === undefined) saveEdit(saving, { record, field }, { value, draft: next, base });
  };
  const close = () => {
    dropDraft(saving, subject);
    onClose();
  };
  return {
    ...{ draft, save, close, isSaving },
    problem: refused ?? unsaved?.problem?.text,
    change(next: unknown) {
      keepDraft(saving, { record, field }, { draft: next, base });
      if (edit.isChoice) save(next);
    },
  };
}

/** Closes the editor when its value is saved. */
function useClosing(isSaved: boolean, isWished: boolean, onClose: () => void): void {
  const wasWished = useRef(false);
  useEffect(() => {
    if (isWished) wasWished.current = true;
    else if (wasWished.current && isSaved) onClose();
  });
}

interface KeyActs {
  readonly save: () => void;
  readonly close: () => void;
  readonly edit: AnyFieldEdit;
}

function onKey(event: KeyboardEvent<HTMLElement>, { save, close, edit }: KeyActs): void {
  // An open list of options has handled the event: Enter and Escape belong to the list.
  if (event.defaultPrevented || event.nativeEvent.isComposing) return;
  if (event.key === 'Escape') close();
  const isSent =
    event.key === 'Enter' && (edit.isMultiline !== true || event.ctrlKey || event.metaKey);
  const isButton = (event.target as HTMLElement).closest('button') !== null;
  if (!isSent || isButton || edit.isChoice === true) return;
  event.preventDefault();
  save();
}

/**
 * True when the focus moves to something else on the page, not to another window or to a list or dialog of the editor.
 */
function hasLeft({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): boolean {
  if (!(relatedTarget instanceof Element) || currentTarget.contains(relatedTarget)) return false;
  return relatedTarget.closest('[role=dialog], [role=listbox]') === null;
}
