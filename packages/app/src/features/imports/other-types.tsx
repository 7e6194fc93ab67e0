// Fields that some values of their columns do not fit: a button makes the field a text, after which the rows are checked
// again.

import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { factsOf } from '../../lib/field-facts.ts';
import { useT } from '../../lib/messages/index.ts';
import type { Rejects } from '../../lib/reject-rows.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { planColumn, type Target, withColumn } from './import-draft.ts';
import { hasOptions, isGiven, nameOf } from './import-fields.ts';
import classes from './imports.module.css';
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
  const keys = new Set(rejects.rows.flatMap(({ problems }) => problems.map(({ field }) => field)));
  return target.object.fields
    .filter((field) => keys.has(field.key) && mayBeText(target.object, field))
    .map((field) => <OtherType key={field.key} {...props} field={field} />);
}

/** References and words of options have other ways. */
function mayBeText({ fields }: ObjectDefinition, field: Field): boolean {
  const isOwn = fields.includes(field) && field.editable && !isGiven(field);
  return isOwn && !hasOptions(field) && factsOf(field).becomes.includes('text');
}

function OtherType({ field, ...props }: OtherTypesProps & { readonly field: Field }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.missing}>
      {t('import.valuesDoNotFit', { field: nameOf(field) })}
      <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
        {t('import.makeText', { field: nameOf(field) })}
      </Button>
      {isOpen && <TextDialog {...props} field={field} onClose={() => setOpen(false)} />}
    </div>
  );
}

interface TextDialogProps extends OtherTypesProps {
  readonly field: Field;
  readonly onClose: () => void;
}

function TextDialog({ target, state, plan, chosen, field, onClose }: TextDialogProps) {
  const t = useT();
  const { object_type } = target.object;
  const planned = usePlanned({
    target,
    changeOf: () => ({
      patch: { objects: { [object_type]: { fields: { [field.key]: { type: 'text' } } } } },
    }),
    onMade(next) {
      const column = plan.draft.columns.find((one) => one.field === field.key);
      onClose();
      if (column === undefined) return state.checkAgain();
      const facts = chosen.table.columns[chosen.table.headings.indexOf(column.heading)];
      const changed = planColumn(next, { heading: column.heading, facts }, field.key);
      state.change(withColumn(next, plan.draft, changed));
    },
  });
  return (
    <PlannedDialog
      title={t('import.makeText', { field: nameOf(field) })}
      text={t('import.makeTextNote')}
      words={{ review: t('import.reviewText'), make: t('import.makeTextNow') }}
      isEmpty={false}
      {...{ planned, onClose }}
    >
      {null}
    </PlannedDialog>
  );
}
