// Fields made from columns that no field takes: names and types as guessed, which a person may change, then the plan of
// the service, and then the change of the definition.

import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DefinitionPlan } from '@workspace-records/client';
import { useState } from 'react';
import type { GuessedType } from '../../lib/guess-types.ts';
import { useT } from '../../lib/messages/index.ts';
import type { Table } from '../../lib/read-table.ts';
import { accessQuery, objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { TYPE_NAMES } from '../../lib/type-names.ts';
import { Problem } from '../../ui/problem.tsx';
import { type ImportDraft, planColumn, type Target, withColumn } from './import-draft.ts';
import classes from './new-fields.module.css';
import { fieldsPatch, NEW_TYPES, type NewField, newFields, withType } from './new-fields.ts';

interface NewFieldsDialogProps {
  readonly target: Target;
  readonly table: Table;
  readonly draft: ImportDraft;
  /** Of the columns. */
  readonly headings: readonly string[];
  readonly onMade: (draft: ImportDraft) => void;
  readonly onClose: () => void;
}

export function NewFieldsDialog(props: NewFieldsDialogProps) {
  const t = useT();
  const { target, table, headings, onClose } = props;
  const taken = target.object.fields.map(({ key }) => key);
  const [fields, setFields] = useState(() => newFields(table, headings, taken));
  const { plan, apply } = useNewFields(props, fields);
  const count = fields.filter(({ isChosen }) => isChosen).length;
  const change = (next: readonly NewField[]) => {
    plan.reset();
    setFields(next);
  };
  const ready = plan.data?.plan_id == null ? undefined : plan.data;
  return (
    <Modal
      opened
      onClose={onClose}
      size="42rem"
      title={t('import.newFields', { name: target.object.name ?? target.object.object_type })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <div className={classes.dialog}>
        <p className={classes.dim}>{t('import.newFieldsText')}</p>
        <Fields {...{ fields, table }} onChange={change} />
        {plan.data !== undefined && <PlanView plan={plan.data} />}
        {(plan.error ?? apply.error) !== null && <Problem error={plan.error ?? apply.error} />}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('record.cancel')}
          </Button>
          {ready === undefined ? (
            <Button disabled={count === 0} loading={plan.isPending} onClick={() => plan.mutate()}>
              {t('import.planFields', { count })}
            </Button>
          ) : (
            <Button loading={apply.isPending} onClick={() => apply.mutate(ready)}>
              {t('import.makeNow', { count })}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}

/** The plan changes nothing; applying it does, and the columns go to the new fields. */
function useNewFields(
  { target, table, draft, onMade }: NewFieldsDialogProps,
  fields: readonly NewField[],
) {
  const session = useSession();
  const queries = useQueryClient();
  const { object_type } = target.object;
  const input = () => ({ patch: fieldsPatch(object_type, fields), merge: true });
  const plan = useMutation({ mutationFn: () => session.client.definition.plan(input()) });
  const apply = useMutation({
    async mutationFn(planned: DefinitionPlan) {
      await session.client.definition.apply(planned, input());
      await queries.invalidateQueries({ queryKey: accessQuery(session).queryKey });
      return queries.fetchQuery({ ...objectQuery(session, object_type), staleTime: 0 });
    },
    onSuccess(object) {
      const next = { ...target, object };
      const chosen = fields.filter(({ isChosen }) => isChosen);
      const made = chosen.reduce((before, { heading, key }) => {
        const facts = table.columns[table.headings.indexOf(heading)];
        return withColumn(next, before, planColumn(next, { heading, facts }, key));
      }, draft);
      onMade(made);
    },
  });
  return { plan, apply };
}

interface FieldsProps {
  readonly fields: readonly NewField[];
  readonly table: Table;
  readonly onChange: (fields: readonly NewField[]) => void;
}

function Fields({ fields, table, onChange }: FieldsProps) {
  const t = useT();
  const types = NEW_TYPES.map((value) => ({ value, label: t(TYPE_NAMES[value]) }));
  return (
    <ul className={classes.fields}>
      {fields.map((field, index) => {
        const { heading, name, type, isChosen, options } = field;
        const distinct = table.columns[table.headings.indexOf(heading)]?.distinct ?? [];
        const put = (next: NewField) => onChange(fields.with(index, next));
        return (
          <li key={heading}>
            <input
              type="checkbox"
              aria-label={t('import.makeField', { heading })}
              checked={isChosen}
              onChange={({ currentTarget }) => put({ ...field, isChosen: currentTarget.checked })}
            />
            <TextInput
              aria-label={t('import.nameOf', { heading })}
              value={name}
              disabled={!isChosen}
              onChange={({ currentTarget }) => put({ ...field, name: currentTarget.value })}
            />
            <NativeSelect
              size="sm"
              aria-label={t('import.typeOf', { heading })}
              data={types}
              value={type}
              disabled={!isChosen}
              onChange={({ currentTarget }) =>
                put(withType(field, currentTarget.value as GuessedType, distinct))
              }
            />
            <span className={classes.samples}>
              {options === undefined
                ? distinct.slice(0, 3).join(' · ')
                : t('import.options', { names: options.map(({ label }) => label).join(', ') })}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function PlanView({ plan: { changes, problems } }: { readonly plan: DefinitionPlan }) {
  const t = useT();
  return (
    <div role="status">
      {problems.length === 0 && <p className={classes.dim}>{t('import.planSays')}</p>}
      <ul className={classes.plan} data-problem={problems.length > 0 || undefined}>
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path}: {message}
          </li>
        ))}
        {problems.length === 0 &&
          changes.map(({ path, action, summary }) => <li key={`${path} ${action}`}>{summary}</li>)}
      </ul>
    </div>
  );
}
