// What is typed of a new record, kept in this tab until it is made; and what of it is sent.

import type { Field } from '@workspace-records/client';
import { useState } from 'react';
import { editOf } from '../fields/edits.ts';
import { ruleProblem } from '../lib/field-rules.ts';
import { changeOf } from '../lib/field-value.ts';
import { makeKey } from '../lib/idempotency-key.ts';
import type { Language, Translate } from '../lib/messages/index.ts';
import { isSame } from '../lib/record-writes.ts';
import { readDraft, writeDraft } from '../lib/storage.ts';

export type Drafts = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;

export interface Words {
  readonly t: Translate;
  readonly language: Language;
}

/** What the field begins with: what was asked for, else what the definition says. */
export function firstValue({ key, constraints }: Field, preset: Values): unknown {
  return preset[key] ?? constraints?.default ?? null;
}

export function draftOf(field: Field, drafts: Drafts, preset: Values, language: Language): unknown {
  return drafts[field.key] ?? editOf(field)?.start(firstValue(field, preset), language);
}

export interface ParsedForm {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Sentences by key of the field; empty when it can be sent. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Empty fields are left out, unless that would give them a value of the definition's. */
export function parseForm(
  fields: readonly Field[],
  drafts: Drafts,
  preset: Values,
  { t, language }: Words,
): ParsedForm {
  const problems = new Map<string, string>();
  let sent: Record<string, unknown> = {};
  for (const field of fields) {
    const parsed = editOf(field)?.parse(draftOf(field, drafts, preset, language), language);
    if (parsed === undefined) continue;
    const problem = 'problem' in parsed ? t(parsed.problem) : ruleProblem(field, parsed.value, t);
    if (problem !== undefined) problems.set(field.key, problem);
    else if ('value' in parsed && (parsed.value !== null || firstValue(field, {}) !== null))
      sent = merged(sent, changeOf(field, parsed.value));
  }
  return { fields: sent, problems };
}

function merged(one: Record<string, unknown>, other: Record<string, unknown>) {
  if (!('custom_fields' in one && 'custom_fields' in other)) return { ...one, ...other };
  const custom_fields = { ...(one.custom_fields as object), ...(other.custom_fields as object) };
  return { ...one, custom_fields };
}

/** A request that was sent: the same again has its key, so that what it has done is not done twice. */
interface Intent {
  readonly fields: Values;
  readonly key: string;
}

interface Kept {
  readonly drafts: Drafts;
  readonly intent?: Intent;
}

const NOTHING: Kept = { drafts: {} };

/** `name` says which record it is about. */
export function useCreationDrafts(name: string) {
  const [kept, setKept] = useState(() => (readDraft(name) as Kept | undefined) ?? NOTHING);
  const [hasOld, setHasOld] = useState(kept !== NOTHING);
  const keep = (next: Kept) => {
    writeDraft(name, next === NOTHING ? undefined : next);
    setKept(next);
  };
  return {
    drafts: kept.drafts,
    /** True: something was begun earlier. */
    hasOld,
    change(key: string, draft: unknown) {
      keep({ ...kept, drafts: { ...kept.drafts, [key]: draft } });
    },
    forget() {
      setHasOld(false);
      keep(NOTHING);
    },
    keyOf(fields: Values): string {
      if (kept.intent !== undefined && isSame(kept.intent.fields, fields)) return kept.intent.key;
      const key = makeKey();
      keep({ ...kept, intent: { fields, key } });
      return key;
    },
  };
}
