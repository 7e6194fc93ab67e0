// Fields made from columns that no field takes: names and types as guessed, which a person may change.

import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { GuessedType } from '../../../../tables/src/guess.ts';
import type { Table } from '../../../../tables/src/reading.ts';
import { kindOf } from '../../fields/kinds.ts';
import { useT } from '../../lib/messages/index.ts';
import framed from '../../ui/framed-rows.module.css';
import { columnIn } from './column-forms.ts';
import {
  firstMatch,
  type ImportDraft,
  planColumn,
  type Target,
  withColumn,
} from './import-draft.ts';
import { fieldsPatch, NEW_TYPES, type NewField, newFields, withType } from './new-fields.ts';
import classes from './planned-dialog.module.css';
import { PlannedDialog, usePlanned } from './planned-dialog.tsx';

interface NewFieldsDialogProps {
  readonly target: Target;
  readonly table: Table;
  readonly draft: ImportDraft;
  /** The headings of the columns. */
  readonly headings: readonly string[];
  readonly onMade: (draft: ImportDraft) => void;
  readonly onClose: () => void;
}

export function NewFieldsDialog(props: NewFieldsDialogProps) {
  const t = useT();
  const { target, table, headings, onClose } = props;
  const taken = target.object.fields.map(({ key }) => key);
  const [fields, setFields] = useState(() => newFields(table, headings, taken));
  const planned = useNewFields(props, fields);
  const count = fields.filter(({ isChosen }) => isChosen).length;
  const change = (next: readonly NewField[]) => {
    planned.reset();
    setFields(next);
  };
  return (
    <PlannedDialog
      title={t('import.newFields', { name: target.object.name ?? target.object.object_type })}
      text={t('import.newFieldsText')}
      action={t('import.makeNow', { count })}
      isEmpty={count === 0}
      {...{ planned, onClose }}
    >
      <Fields {...{ fields, table }} onChange={change} />
    </PlannedDialog>
  );
}

/** Once they are made, the columns go to the new fields. */
function useNewFields(
  { target, table, draft, onMade }: NewFieldsDialogProps,
  fields: readonly NewField[],
) {
  return usePlanned({
    target,
    changeOf: () => ({ patch: fieldsPatch(target.object.object_type, fields) }),
    onMade(next) {
      const chosen = fields.filter(({ isChosen }) => isChosen);
      const made = chosen.reduce(
        (before, { heading, key }) =>
          withColumn(next, before, planColumn(next, columnIn(table, heading), key)),
        draft,
      );
      const isMatched = made.match.length > 0;
      onMade(isMatched ? made : { ...made, match: firstMatch(next.object, made) });
    },
  });
}

interface FieldsProps {
  readonly fields: readonly NewField[];
  readonly table: Table;
  readonly onChange: (fields: readonly NewField[]) => void;
}

function Fields({ fields, table, onChange }: FieldsProps) {
  const t = useT();
  const types = NEW_TYPES.map((value) => ({ value, label: t(kindOf({ type: value }).name) }));
  return (
    <ul className={`${framed.rows} ${classes.entries}`}>
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
