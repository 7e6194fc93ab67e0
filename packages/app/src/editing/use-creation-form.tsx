// The state of the form of a new record: drafts, problems, sending, and what comes afterwards.

import { Link, useNavigate } from '@tanstack/react-router';
import type { Field, RecordData } from '@workspace-records/client';
import { type ReactNode, useState } from 'react';
import { editOf } from '../fields/edits.ts';
import { type FieldProblem, fieldProblemsOf } from '../lib/field-problems.ts';
import { useLanguage, useT } from '../lib/messages/index.ts';
import { useCreate } from '../lib/record-creation.ts';
import { recordName } from '../lib/record-name.ts';
import { useIsUploading } from '../lib/running-uploads.ts';
import { TYPE_KEY } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { Problem } from '../ui/problem.tsx';
import { showToast } from '../ui/toast.ts';
import type { CreationRequest } from './creation.ts';
import { useCreationDrafts } from './creation-state.ts';
import { draftOf, parseForm } from './form-values.ts';
import { LostTexts } from './unsaved/lost-texts.tsx';

interface FormParts {
  readonly fields: readonly Field[];
  readonly request: CreationRequest;
  readonly onClose: () => void;
  /** True: each new record is followed by the next one. */
  readonly isSeries?: boolean;
  /** Puts the focus to a field, or to the first one. */
  readonly focus: (key: string | undefined) => void;
}

export type CreationForm = ReturnType<typeof useCreationForm>;

const NONE: ReadonlyMap<string, ReactNode> = new Map();

export function useCreationForm(parts: FormParts) {
  const { fields, request, focus, isSeries = false } = parts;
  const t = useT();
  const words = { t, language: useLanguage(), editOf };
  const preset = usePreset(request);
  const state = useCreationDrafts(request, isSeries ? 'line' : 'dialog');
  const [problems, setProblems] = useState(NONE);
  const [isAnother, setAnother] = useState(isSeries);
  const { announcement, setAnnouncement, note, finish } = useArrival(parts);
  const { mutate, isPending: isCreating, error, reset } = useCreate(request.type);
  const refuse = (found: ReadonlyMap<string, ReactNode>) => {
    setProblems(found);
    focus(fields.find(({ key }) => found.has(key))?.key);
  };
  const onMade = (record: RecordData) => {
    state.forget(state.drafts);
    note(record, isAnother);
  };
  const isPending = useIsUploading() || isCreating;
  const submit = () => {
    if (isPending) return;
    const parsed = parseForm(fields, { drafts: state.drafts, preset }, words);
    setAnnouncement('');
    reset();
    if (parsed.problems.size > 0) return refuse(parsed.problems);
    setProblems(NONE);
    const send = { fields: parsed.fields, key: state.keyOf(parsed.fields), onMade };
    mutate(send, {
      onSuccess: (record) => finish(record, isAnother),
      onError: (failure) => refuse(shownProblems(failure, request.type)),
    });
  };
  // Problems at their fields are not reported twice.
  const isReported = error !== null && fields.some(({ key }) => problems.has(key));
  return {
    submit,
    isPending,
    isAnother,
    setAnother,
    made: announcement,
    hasOld: state.hasOld,
    forget: () => {
      state.forget();
      setProblems(NONE);
    },
    itemType: firstText(state.drafts[TYPE_KEY] ?? preset[TYPE_KEY]),
    draftOf: (field: Field) => draftOf(field, { drafts: state.drafts, preset }, words),
    problemOf: ({ key }: Field) => problems.get(key),
    change(field: Field, draft: unknown) {
      state.change(field, draft);
      if (problems.has(field.key))
        setProblems(new Map([...problems].filter(([key]) => key !== field.key)));
    },
    drafts: state,
    /** The texts of fields that the form no longer has. */
    lost: <LostTexts form={state} present={new Set(fields.map(({ key }) => key))} />,
    problem: error === null || isReported ? undefined : <Problem error={error} />,
  };
}

/** The owner is the author, unless they choose another one. */
function usePreset({ preset = {} }: CreationRequest): Readonly<Record<string, unknown>> {
  const { me } = useSession();
  return { owner_user_id: me.user.id, ...preset };
}

function useArrival({ request: { type, onCreated }, onClose, focus }: FormParts) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const [announcement, setAnnouncement] = useState('');
  const textOf = (record: RecordData) => t('create.made', { name: recordName(record) });
  return {
    announcement,
    setAnnouncement,
    /** Called with the new record, also when the form is closed. */
    note(record: RecordData, isAnother: boolean) {
      onCreated?.(record);
      if (!isAnother) showToast({ text: textOf(record) });
    },
    /** Closes the form, or prepares it for another record. */
    finish(record: RecordData, isAnother: boolean) {
      if (isAnother) {
        setAnnouncement(textOf(record));
        return focus(undefined);
      }
      onClose();
      if (onCreated !== undefined) return;
      void navigate({ to: '/$workspace/o/$type/$id', params: { workspace, type, id: record.id } });
    },
  };
}

function shownProblems(error: unknown, type: string): ReadonlyMap<string, ReactNode> {
  const shown = [...fieldProblemsOf(error)].map(([key, problem]) => [
    key,
    <FieldRefusal key={key} problem={problem} type={type} />,
  ]);
  return new Map(shown as [string, ReactNode][]);
}

interface FieldRefusalProps {
  readonly problem: FieldProblem;
  readonly type: string;
}

function FieldRefusal({ problem: { message, taken }, type }: FieldRefusalProps) {
  const t = useT();
  const { workspace } = useSession();
  if (taken === undefined) return message;
  return (
    <>
      {message}{' '}
      <Link to="/$workspace/o/$type/$id" params={{ workspace, type, id: taken }} target="_blank">
        {t('create.taken')}
      </Link>
    </>
  );
}

function firstText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
