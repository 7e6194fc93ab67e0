// The editing of a field: Enter saves, Escape discards, leaving it saves too. A choice is saved when it is made.

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Field, RecordData } from '@workspace-records/client';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type AnyFieldEdit, parseEdited } from '../fields/field-edit.ts';
import { ruleProblem } from '../lib/field-rules.ts';
import { fieldValue, isSame } from '../lib/field-value.ts';
import { makeKey } from '../lib/idempotency-key.ts';
import { useLanguage, useT } from '../lib/messages/index.ts';
import { type Conflict, isConflict, saveField, useSave } from '../lib/record-writes.ts';
import { useSession } from '../lib/session.ts';
import { noteUndo } from '../lib/undo.ts';
import { problemText } from '../ui/problem.tsx';
import classes from './field-editor.module.css';
import { LaterConflictDialog } from './later-conflict-dialog.tsx';

/** The draft, and the value of the field when it began. */
export interface FieldDraft {
  readonly draft: unknown;
  readonly base: unknown;
}

interface FieldEditorProps {
  readonly field: Field;
  readonly record: RecordData;
  readonly edit: AnyFieldEdit;
  readonly labelId: string;
  readonly kept: FieldDraft | undefined;
  readonly keep: (draft: FieldDraft) => void;
  readonly onClose: () => void;
}

export function FieldEditor(props: FieldEditorProps) {
  const { field, edit, labelId, kept: storedDraft, keep, record, onClose } = props;
  const t = useT();
  const language = useLanguage();
  const problemId = useId();
  const [initialDraft] = useState(() => {
    const base = fieldValue(record, field);
    return storedDraft ?? { base, draft: edit.start(base, language) };
  });
  const { draft, base } = storedDraft ?? initialDraft;
  const { save, isSaving, problem, conflict, settle } = useSaving(props, base);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = root.current?.querySelector<HTMLElement>('input, select, textarea');
    if (edit.isGroup !== true) element?.setAttribute('aria-labelledby', labelId);
    element?.focus();
    if (element instanceof HTMLInputElement && element.type === 'text') element.select();
  }, [labelId, edit]);
  const change = (next: unknown) => {
    keep({ base, draft: next });
    if (edit.isChoice) save(next);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the events of the editor inside it.
    <div
      ref={root}
      className={classes.editor}
      aria-busy={isSaving}
      onKeyDown={(event) => onKey(event, { save: () => save(draft), close: onClose, edit })}
      onBlur={(event) => {
        if (conflict === undefined && hasLeft(event)) save(draft);
      }}
    >
      <edit.Edit
        {...{ draft, field, onChange: change }}
        id={`${labelId}-edit`}
        isInvalid={problem !== undefined}
        describedBy={problem === undefined ? undefined : problemId}
      />
      {problem !== undefined && (
        <p id={problemId} className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      {(edit.isMultiline === true || problem !== undefined) && (
        <div className={classes.buttons}>
          <Button loading={isSaving} onClick={() => save(draft)}>
            {t('record.save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('record.cancel')}
          </Button>
        </div>
      )}
      {conflict !== undefined && <LaterConflictDialog conflict={conflict} onSettle={settle} />}
    </div>
  );
}

type Settlement = 'mine' | 'theirs' | 'later';

function useSaving({ field, record, edit, onClose }: FieldEditorProps, base: unknown) {
  const t = useT();
  const language = useLanguage();
  const session = useSession();
  const queries = useQueryClient();
  const savedPlace = { type: record.object_type, id: record.id };
  const { mutate, isPending, error } = useSave(savedPlace.type, savedPlace.id);
  const [refused, setRefused] = useState<string>();
  const [conflict, setConflict] = useState<Conflict>();
  const send = (value: unknown, since: unknown) => {
    const intent = { field, value, base: since, key: makeKey() };
    const write = (next: unknown, base: unknown) =>
      saveField(session, queries, savedPlace, { field, value: next, base, key: makeKey() });
    mutate(intent, {
      onSuccess() {
        const text = t('record.changed', { field: field.name ?? field.key });
        const [undo, redo] = [() => write(since, value), () => write(value, since)];
        noteUndo({ text, isQuiet: true, undo, redo });
        onClose();
      },
      onError: (failure) => {
        if (isConflict(failure)) setConflict(failure.conflict);
      },
    });
  };
  const save = (draft: unknown) => {
    if (isPending) return;
    const parsed = parseEdited(edit, { draft, began: base }, language);
    if ('problem' in parsed) return setRefused(t(parsed.problem));
    if (isSame(parsed.value, fieldValue(record, field))) return onClose();
    const broken = ruleProblem(field, parsed.value, t);
    setRefused(broken);
    if (broken === undefined) send(parsed.value, base);
  };
  const settle = (settlement: Settlement) => {
    const settled = conflict;
    setConflict(undefined);
    if (settled === undefined || settlement === 'later') return;
    if (settlement === 'theirs') onClose();
    else send(settled.intent.value, fieldValue(settled.theirs, field));
  };
  const failed = error === null || isConflict(error) ? undefined : problemText(error, t);
  return { save, settle, conflict, isSaving: isPending, problem: refused ?? failed };
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
