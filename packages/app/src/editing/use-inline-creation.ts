// A new record in a line of a list: Enter makes it and begins the next one, Escape discards it. Fields that the line
// does not show are asked below it once the service needs them.

import type { Access, Field, ObjectDefinition } from '@workspace-records/client';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useState } from 'react';
import { editOf } from '../fields/edits.ts';
import { creationFields } from '../lib/creation-fields.ts';
import { TYPE_KEY } from '../lib/schema-queries.ts';
import type { CreationRequest } from './creation.ts';
import { useCreationForm } from './use-creation-form.tsx';

interface InlineParts {
  readonly object: ObjectDefinition;
  readonly access: Access;
  readonly request: CreationRequest;
  /** True when the line has a cell for the field. */
  readonly isShown: (field: Field) => boolean;
  readonly line: RefObject<HTMLElement | null>;
  /** Called with the type of a work item: another one has other fields. */
  readonly onType: (type: string) => void;
  readonly onClose: () => void;
}

export type InlineCreation = ReturnType<typeof useInlineCreation>;

export function useInlineCreation(parts: InlineParts) {
  const { object, access, request, isShown, line, onType, onClose } = parts;
  const fields = useMemo(
    () => creationFields(object, access).filter((field) => editOf(field) !== undefined),
    [object, access],
  );
  const [extraKeys, setExtraKeys] = useState<ReadonlySet<string>>(new Set());
  const focus = (key: string | undefined) => setTimeout(() => focusIn(line.current, key));
  const form = useCreationForm({ fields, request, onClose, focus, isSeries: true });
  const missing = fields.filter((field) => !isShown(field) && form.problemOf(field) !== undefined);
  useEffect(() => {
    const keys = missing.map(({ key }) => key).filter((key) => !extraKeys.has(key));
    if (keys.length > 0) setExtraKeys(new Set([...extraKeys, ...keys]));
  });
  useEffect(() => focusIn(line.current, undefined), [line]);
  const discard = () => {
    form.forget();
    onClose();
  };
  return {
    form,
    fields,
    change(field: Field, draft: unknown) {
      form.change(field, draft);
      if (field.key === TYPE_KEY) onType(String(draft));
    },
    /** Below the line; they stay, because the next record needs them too. */
    asked: fields.filter((field) => extraKeys.has(field.key) && !isShown(field)),
    discard,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) =>
      onLineKey(event, { submit: form.submit, discard }),
  };
}

function focusIn(line: HTMLElement | null, key: string | undefined): void {
  const place = key === undefined ? line : line?.querySelector(`[data-field="${CSS.escape(key)}"]`);
  const control = place?.querySelector<HTMLElement>('input, select, textarea');
  control?.focus({ preventScroll: true });
  control?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
}

interface LineActs {
  readonly submit: () => void;
  readonly discard: () => void;
}

/** The list of a choice takes its keys first. */
function onLineKey(event: KeyboardEvent<HTMLElement>, { submit, discard }: LineActs): void {
  event.stopPropagation();
  if (event.defaultPrevented || event.nativeEvent.isComposing) return;
  const target = event.target as HTMLElement;
  const isOpen = target.getAttribute('aria-expanded') === 'true';
  if (isOpen || target.closest('button') !== null) return;
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault();
    submit();
  } else if (event.key === 'Escape') {
    event.preventDefault();
    discard();
  }
}
