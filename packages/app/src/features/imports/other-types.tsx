// Fields that some values of their columns do not fit: a button gives the field another type for everybody, after which
// the rows are checked again.

import '../../lib/import-notice-texts.ts';
import { Button, Group, NativeSelect } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Field, FieldType, ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { kindOf } from '../../fields/kinds.ts';
import { factsOf } from '../../lib/field-facts.ts';
import { useT } from '../../lib/messages/index.ts';
import type { Rejects } from '../../lib/reject-rows.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { columnIn } from './column-forms.ts';
import { planColumn, type Target, withColumn } from './import-draft.ts';
import { hasOptions, isGiven, nameOf } from './import-fields.ts';
import { NEW_TYPES } from './new-fields.ts';
import { PlannedDialog, usePlanned } from './planned-dialog.tsx';
import type { Chosen, ImportState, Plan } from './use-import.ts';

interface OtherTypesProps {
  readonly target: Target;
  readonly state: ImportState;
  readonly plan: Plan;
  readonly chosen: Chosen;
  readonly rejects: Rejects;
}

export function OtherTypes(props: OtherTypesProps) {
  const { target, rejects } = props;
  const session = useSession();
  const { data: access } = useSuspenseQuery(accessQuery(session));
  if (!access.administrator.allowed || session.me.viewing !== undefined) return null;
  const keys = misfitFields(rejects);
  return target.object.fields
    .filter((field) => keys.has(field.key) && mayChange(target.object, field))
    .map((field) => <OtherType key={field.key} {...props} field={field} />);
}

/** Fields with a problem in a cell that has a value: another type takes no empty cell either. */
export function misfitFields({ headings, rows }: Rejects): ReadonlySet<string> {
  const fields = rows.flatMap(({ cells, problems }) =>
    problems.filter(({ heading }) => cells[headings.indexOf(heading ?? '')] !== ''),
  );
  return new Set(fields.map(({ field }) => field));
}

/** Required fields with empty cells. */
export function EmptyCells({ target, rejects }: Pick<OtherTypesProps, 'target' | 'rejects'>) {
  const t = useT();
  const { headings, rows } = rejects;
  return target.object.fields.flatMap((field) => {
    const count = rows.filter(({ cells, problems }) =>
      problems.some(
        (one) => one.field === field.key && cells[headings.indexOf(one.heading ?? '')] === '',
      ),
    ).length;
    if (count === 0 || !field.required) return [];
    return [
      <Group key={field.key} gap="0.25rem 0.5rem" mb="sm">
        {t('import.emptyRequired', { count, field: nameOf(field) })}
      </Group>,
    ];
  });
}

/** References and words of options have other ways. */
function mayChange({ fields }: ObjectDefinition, field: Field): boolean {
  const isOwn = fields.includes(field) && field.editable && !isGiven(field);
  return isOwn && !hasOptions(field) && typesOf(field).length > 0;
}

/** The types that its values can have, texts first: they take every value of a file. */
function typesOf(field: Field): readonly FieldType[] {
  const { becomes } = factsOf(field);
  return NEW_TYPES.filter(
    (type) => becomes.includes(type) && !factsOf({ type }).words.includes('options'),
  );
}

function OtherType({ field, ...props }: OtherTypesProps & { readonly field: Field }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <Group gap="0.25rem 0.5rem" mb="sm">
      {t('import.valuesDoNotFit', { field: nameOf(field) })}
      <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
        {t('import.changeType', { field: nameOf(field) })}
      </Button>
      {isOpen && <TypeDialog {...props} field={field} onClose={() => setOpen(false)} />}
    </Group>
  );
}

interface TypeDialogProps extends OtherTypesProps {
  readonly field: Field;
  readonly onClose: () => void;
}

function TypeDialog({ target, state, plan, chosen, field, onClose }: TypeDialogProps) {
  const t = useT();
  const types = typesOf(field);
  const [type, setType] = useState(types[0]);
  const { object_type } = target.object;
  const planned = usePlanned({
    target,
    changeOf: () => ({
      patch: { objects: { [object_type]: { fields: { [field.key]: { type } } } } },
    }),
    onMade(next) {
      const column = plan.draft.columns.find((one) => one.field === field.key);
      onClose();
      if (column === undefined) return state.checkAgain();
      const changed = planColumn(next, columnIn(chosen.table, column.heading), field.key);
      state.change(withColumn(next, plan.draft, changed));
    },
  });
  return (
    <PlannedDialog
      title={t('import.changeType', { field: nameOf(field) })}
      text={t('import.changeTypeNote')}
      action={t('import.changeTypeNow')}
      isEmpty={false}
      {...{ planned, onClose }}
    >
      <NativeSelect
        label={t('fields.type')}
        data={types.map((value) => ({ value, label: t(kindOf({ type: value }).name) }))}
        value={type}
        onChange={({ currentTarget }) => {
          planned.reset();
          setType(currentTarget.value as FieldType);
        }}
      />
    </PlannedDialog>
  );
}
