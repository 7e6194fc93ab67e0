// The draft of a new record, an unsaved edit until the record is made: that of the dialog, and that of a line of a list.

import type { Field } from '@workspace-records/client';
import { useState } from 'react';
import { isSame } from '../lib/field-value.ts';
import { makeKey } from '../lib/idempotency-key.ts';
import { TYPE_KEY } from '../lib/schema-queries.ts';
import {
  type EditPlace,
  type EditStore,
  type UnsavedEdit,
  useEdit,
  useEdits,
  useOpenEdit,
} from '../lib/unsaved-edits.ts';
import type { CreationRequest } from './creation.ts';
import type { Drafts, Values } from './form-values.ts';

/** A sent request: the same content again has the same key, so that it takes effect once. */
interface Intent {
  readonly fields: Values;
  readonly key: string;
}

export interface StoredForm {
  readonly drafts: Drafts;
  /** The definitions of the fields with a draft, which the object may lose. */
  readonly fields: Readonly<Record<string, Field>>;
  /** Values that it begins with. */
  readonly preset: Values;
  readonly intent?: Intent | undefined;
}

export type FormShape = 'dialog' | 'line';

const NOTHING: StoredForm = { drafts: {}, fields: {}, preset: {} };

/** The draft of a record with some initial values is not that of another; a line is not the dialog. */
export function formPlace(
  { type, preset = {} }: CreationRequest,
  shape: FormShape = 'dialog',
): EditPlace {
  const { [TYPE_KEY]: _, ...initial } = preset;
  return { kind: 'form', type, id: '', part: `${shape} ${JSON.stringify(initial)}` };
}

/**
 * Moves the draft of a form to the dialog, and the one that the dialog had to the place of the form. Returns the request
 * that opens it.
 */
export function moveToDialog(edits: EditStore, edit: UnsavedEdit): CreationRequest {
  const request = { type: edit.type, preset: (edit.draft as StoredForm).preset };
  const place = formPlace(request);
  const present = edits.find(place);
  edits.drop(edit);
  edits.put({ ...edit, ...place });
  if (present !== undefined && present.part !== edit.part)
    edits.put({ ...present, part: edit.part });
  return request;
}

export function useCreationDrafts(request: CreationRequest, shape: FormShape) {
  const subject = formPlace(request, shape);
  const { preset = {} } = request;
  const edits = useEdits();
  const { drafts, fields } = (useEdit(subject)?.draft as StoredForm | undefined) ?? NOTHING;
  const [hasOld, setHasOld] = useState(edits.find(subject) !== undefined);
  useOpenEdit(subject);
  const now = () => (edits.find(subject)?.draft as StoredForm | undefined) ?? NOTHING;
  const keep = (part: Partial<StoredForm>) =>
    edits.put({ ...subject, name: null, draft: { ...now(), preset, ...part } });
  return {
    drafts,
    fields,
    /** True: something was begun earlier. */
    hasOld,
    change(field: Field, draft: unknown) {
      const { key } = field;
      const form = now();
      keep({ drafts: { ...form.drafts, [key]: draft }, fields: { ...form.fields, [key]: field } });
    },
    /** With drafts that were sent, those changed since then are kept. */
    forget(sent: Drafts = now().drafts) {
      setHasOld(false);
      const { drafts: all, fields: known } = now();
      const left = Object.entries(all).filter(([key, draft]) => !isSame(draft, sent[key]));
      if (left.length === 0) return edits.drop(subject);
      keep({ drafts: Object.fromEntries(left), fields: known, intent: undefined });
    },
    keyOf(values: Values): string {
      const { intent } = now();
      if (intent !== undefined && isSame(intent.fields, values)) return intent.key;
      const key = makeKey();
      keep({ intent: { fields: values, key } });
      return key;
    },
  };
}
