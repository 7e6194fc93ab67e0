// The editing of a field in a cell of a list: Enter saves and goes down, Tab saves and goes to the side, Escape
// discards, leaving it saves too. The typed text is an unsaved edit until the service has confirmed it.

import type { Field } from '@workspace-records/client';
import {
  type FocusEvent,
  type KeyboardEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { editOf } from '../fields/edits.ts';
import { type AnyFieldEdit, parseEdited } from '../fields/field-edit.ts';
import { useLanguage, useT } from '../lib/messages/index.ts';
import { type EditPlace, useEdits, useOpenEdit } from '../lib/unsaved-edits.ts';
import classes from './cell-editor.module.css';

/** The direction in which the person leaves the cell; `away`: the focus has left already. */
export type CellStep = 'down' | 'right' | 'left' | 'stay' | 'away';

export interface CellEditorProps {
  readonly field: Field;
  readonly place: EditPlace;
  /** The saved value. */
  readonly value: unknown;
  /** The name of the field and the record, for screen readers. */
  readonly label: string;
  /** The text that was typed before this was mounted, which replaces the value; undefined: none is typed. Once. */
  readonly takeTyped: () => string | undefined;
  readonly onType: (edited: CellDraft) => void;
  readonly onSave: (edited: CellDraft & { readonly value: unknown }, step: CellStep) => void;
  readonly onCancel: () => void;
}

export interface CellDraft {
  readonly draft: unknown;
  /** The value when editing began: a change by somebody else since then needs a decision. */
  readonly base: unknown;
}

export function CellEditor(props: CellEditorProps) {
  const edit = editOf(props.field);
  return edit === undefined ? null : <Editor {...props} edit={edit} />;
}

interface EditorProps extends CellEditorProps {
  readonly edit: AnyFieldEdit;
}

function Editor({ edit, ...props }: EditorProps) {
  const { field, label } = props;
  const problemId = useId();
  const id = useId();
  const { draft, problem, change, noteKey, commit, cancel, isDone } = useCellDraft({
    edit,
    ...props,
  });
  const box = useBox(label, props.takeTyped);
  const Edit = edit.Cell ?? edit.Edit;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to what is in it.
    <div
      ref={box}
      data-editor
      data-multiline={edit.isMultiline === true || undefined}
      className={classes.editor}
      onPointerDownCapture={() => noteKey('')}
      onKeyDownCapture={(event) => {
        noteKey(event.key);
        onCellKey(event, { commit, cancel });
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (edit.isChoice === true) onEnter(event, commit);
      }}
      onBlur={(event) => {
        if (!hasLeft(event)) return;
        commit('away');
        if (isDone()) return;
        // The text cannot be saved: from another cell the focus comes back to it.
        const { currentTarget, target, relatedTarget } = event;
        const isInGrid = currentTarget.closest('table')?.contains(relatedTarget) === true;
        if (isInGrid) setTimeout(() => (target as HTMLElement).focus({ preventScroll: true }));
      }}
    >
      <Edit
        {...{ draft, field, id }}
        isInvalid={problem !== undefined}
        describedBy={problem === undefined ? undefined : problemId}
        onChange={change}
      />
      {problem !== undefined && (
        <p id={problemId} className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function useCellDraft({ edit, place, value, onType, onSave, onCancel }: EditorProps) {
  const t = useT();
  const language = useLanguage();
  const edits = useEdits();
  const [unsaved] = useState(() => edits.find(place));
  useOpenEdit(place);
  const [first] = useState<CellDraft>(() => {
    if (unsaved === undefined) return { draft: edit.start(value, language), base: value };
    const { draft, base, wish, problem } = unsaved;
    // While a value is saved, the next one follows it.
    return { draft, base: wish === undefined || problem !== undefined ? base : wish.value };
  });
  const [draft, setDraft] = useState(first.draft);
  const [problem, setProblem] = useState(unsaved?.problem?.text);
  // Not that of the moment: what somebody else changes while one types would count as known.
  const { base } = first;
  // Saving unmounts the editor, which the browser reports as one more blur.
  const isDone = useRef(false);
  const lastKey = useRef('');
  const save = (next: unknown, step: CellStep) => {
    if (isDone.current) return;
    const parsed = parseEdited(edit, { draft: next, began: base }, language);
    if ('problem' in parsed) return setProblem(t(parsed.problem));
    isDone.current = true;
    onSave({ value: parsed.value, draft: next, base }, step);
  };
  return {
    draft,
    problem,
    noteKey(key: string) {
      lastKey.current = key;
    },
    change(next: unknown) {
      onType({ draft: next, base });
      setDraft(next);
      // With Enter the focus moves on as in any other cell; with the pointer it stays.
      if (edit.isChoice === true) save(next, lastKey.current === 'Enter' ? 'down' : 'stay');
    },
    commit: (step: CellStep) => save(draft, step),
    isDone: () => isDone.current,
    cancel() {
      isDone.current = true;
      onCancel();
    },
  };
}

/** Gives the focus to what edits, before the next key; once, because a field may be called something else meanwhile. */
function useBox(label: string, takeTyped: () => string | undefined) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = editorIn(box.current);
    // One of several boxes has the name of its option.
    if (element?.getAttribute('type') !== 'checkbox') element?.setAttribute('aria-label', label);
  }, [label]);
  useLayoutEffect(() => {
    const element = editorIn(box.current);
    element?.focus({ preventScroll: true });
    const typed = takeTyped();
    const isLine = element instanceof HTMLInputElement && /^(?:text|tel)$/.test(element.type);
    if (isLine || element instanceof HTMLTextAreaElement) {
      const { length } = element.value;
      // The text of a choice is a search for another one.
      const isReplaced = typed !== undefined || element.getAttribute('role') === 'combobox';
      element.setSelectionRange(isReplaced ? 0 : length, length);
    }
    box.current?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    // Typed like by the keyboard: a component gets no event for text that was not typed into it.
    if (typed !== undefined && typed !== '') document.execCommand('insertText', false, typed);
  }, [takeTyped]);
  return box;
}

function editorIn(box: HTMLElement | null): HTMLElement | null {
  return box?.querySelector<HTMLElement>('input, select, textarea') ?? null;
}

interface CellActs {
  readonly commit: (step: CellStep) => void;
  readonly cancel: () => void;
}

/** Handles keys of a cell before the list of a choice receives them. */
function onCellKey(event: KeyboardEvent<HTMLElement>, { commit, cancel }: CellActs): void {
  if (event.nativeEvent.isComposing) return;
  const isChoice = (event.target as Element).getAttribute('role') === 'combobox';
  const act =
    event.key === 'Escape'
      ? cancel
      : event.key === 'Tab'
        ? () => commit(event.shiftKey ? 'left' : 'right')
        : event.key === 'Enter' && !event.shiftKey && !isChoice
          ? () => commit('down')
          : undefined;
  if (act === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** A choice is already saved; text that is not a choice waits for one. */
function onEnter(event: KeyboardEvent<HTMLElement>, commit: (step: CellStep) => void): void {
  const isOpen = (event.target as Element).getAttribute('aria-expanded') === 'true';
  if (event.key === 'Enter' && !(isOpen && !event.defaultPrevented)) commit('down');
}

/** True when the focus moves to something else on the page, not to another window or to a list of the editor. */
function hasLeft({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): boolean {
  if (!(relatedTarget instanceof Element) || currentTarget.contains(relatedTarget)) return false;
  return relatedTarget.closest('[role=listbox]') === null;
}
