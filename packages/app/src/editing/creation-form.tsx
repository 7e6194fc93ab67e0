// The form of a new record: the fields that the person may write, the problem of each, one button. Ctrl and Enter
// send it from anywhere.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Access, ObjectDefinition } from '@workspace-records/client';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { editOf } from '../fields/edits.ts';
import { canCreate, creationFields } from '../lib/creation-fields.ts';
import { factsOf } from '../lib/field-facts.ts';
import { useT } from '../lib/messages/index.ts';
import { initialStatusesQuery, TYPE_KEY } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import type { CreationRequest } from './creation.ts';
import classes from './creation-form.module.css';
import { FormField } from './form-field.tsx';
import { SameRecords } from './same-records.tsx';
import { LostTexts } from './unsaved/lost-texts.tsx';
import { type CreationForm as Form, useCreationForm } from './use-creation-form.tsx';

interface CreationFormProps {
  readonly object: ObjectDefinition;
  readonly access: Access;
  readonly request: CreationRequest;
  /** Called with the type of a work item: another one has other fields. */
  readonly onType: (type: string) => void;
  readonly onClose: () => void;
}

export function CreationForm({ object, access, request, onType, onClose }: CreationFormProps) {
  const t = useT();
  const root = useRef<HTMLFormElement>(null);
  const fields = useMemo(
    () => creationFields(object, access).filter((field) => editOf(field) !== undefined),
    [object, access],
  );
  const focus = (key: string | undefined) => focusField(root.current, key);
  const form = useCreationForm({ fields, request, onClose, focus });
  useEffect(() => {
    // Where the dialog is still opening, it puts the focus by this mark, and else to its cross.
    controlOf(root.current, undefined)?.setAttribute('data-autofocus', '');
    focusField(root.current, undefined);
  }, []);
  if (!canCreate(object)) return <LostTexts form={form.drafts} reason="edits.noRight" />;
  return (
    <form
      ref={root}
      noValidate
      aria-busy={form.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
      onKeyDown={(event) => submitOnKeys(event, form.submit)}
    >
      {form.hasOld && (
        <div className={classes.note} role="status">
          {t('create.kept')}
          <Button variant="subtle" onClick={form.forget}>
            {t('create.again')}
          </Button>
        </div>
      )}
      <div className={classes.fields}>
        {fields.map((field, index) => (
          <div
            key={field.key}
            className={index === 0 || !factsOf(field).indexable ? classes.wide : undefined}
          >
            <FormField
              field={field}
              edit={editOf(field) as NonNullable<ReturnType<typeof editOf>>}
              draft={form.draftOf(field)}
              problem={form.problemOf(field)}
              onChange={(draft) => {
                form.change(field, draft);
                if (field.key === TYPE_KEY) onType(String(draft));
              }}
            />
            <SameRecords {...{ object, field }} draft={form.draftOf(field)} />
          </div>
        ))}
      </div>
      {form.lost}
      <Foot object={object} form={form} itemType={form.itemType} />
    </form>
  );
}

interface FootProps {
  readonly object: ObjectDefinition;
  readonly form: Form;
  readonly itemType: string | undefined;
}

function Foot({ object, form, itemType }: FootProps) {
  const t = useT();
  const status = useInitialStatus(object, itemType);
  return (
    <>
      {form.problem !== undefined && <div className={classes.problem}>{form.problem}</div>}
      <div className={classes.foot}>
        <div className={classes.rest}>
          {status !== undefined && <span>{t('create.status', { name: status })}</span>}
          <span role="status">{form.made}</span>
        </div>
        <label className={classes.another}>
          <input
            type="checkbox"
            checked={form.isAnother}
            onChange={({ currentTarget }) => form.setAnother(currentTarget.checked)}
          />
          {t('create.another')}
        </label>
        <Button type="submit" loading={form.isPending} title={t('create.keys')}>
          {t('create.submit')}
        </Button>
      </div>
    </>
  );
}

function useInitialStatus(
  object: ObjectDefinition,
  itemType: string | undefined,
): string | undefined {
  const session = useSession();
  const type = object.work_item_types?.find(({ slug }) => slug === itemType);
  const workflow = (type ?? object).workflow?.id;
  const { data } = useQuery({
    ...initialStatusesQuery(session),
    enabled: workflow !== undefined,
  });
  return workflow === undefined ? undefined : data?.get(workflow);
}

function focusField(root: HTMLElement | null, key: string | undefined): void {
  controlOf(root, key)?.focus();
}

/** The first control of the form, or that of a field. */
function controlOf(root: HTMLElement | null, key: string | undefined): HTMLElement | null {
  const place = key === undefined ? root : root?.querySelector(`[data-field="${CSS.escape(key)}"]`);
  return place?.querySelector<HTMLElement>('input, select, textarea') ?? null;
}

function submitOnKeys(event: KeyboardEvent<HTMLElement>, submit: () => void): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  if (event.nativeEvent.isComposing) return;
  event.preventDefault();
  submit();
}
