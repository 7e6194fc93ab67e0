// The records of a list as a file: a small one comes at once, of a large one the page of its job is shown.

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ObjectDefinition } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { isOfContacts } from '../../lib/exports.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import type { ViewState } from '../../lib/view-state.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './export-dialog.module.css';
import { type ExportChoice, exportBodyOf } from './export-question.ts';
import { useExport } from './use-export.ts';

interface ExportDialogProps {
  readonly object: ObjectDefinition;
  readonly view: ViewState;
  readonly onClose: () => void;
}

export default function ExportDialog({ object, view, onClose }: ExportDialogProps) {
  const t = useT();
  const [choice, setChoice] = useState<ExportChoice>({
    ...{ format: 'csv', columns: 'shown', isForExcel: false, names: 'names' },
  });
  const { mutate, isPending, error } = useExport(onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(exportBodyOf(object, view, choice));
  };
  const isAll = view.q === '' && view.where.length === 0;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('export.title', { name: object.name ?? object.object_type })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack component="form" gap="lg" onSubmit={submit}>
        <Text c="dimmed">{isAll ? t('export.allRecords') : t('export.theseRecords')}</Text>
        <Choices {...{ object, choice }} onChange={setChoice} />
        {error !== null && <Problem error={error} />}
        <DialogButtons onClose={onClose}>
          <Button type="submit" loading={isPending} data-autofocus>
            {t('export.now')}
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}

interface ChoicesProps {
  readonly object: ObjectDefinition;
  readonly choice: ExportChoice;
  readonly onChange: (choice: ExportChoice) => void;
}

function Choices({ object, choice, onChange }: ChoicesProps) {
  const t = useT();
  return (
    <>
      <Options
        legend={t('export.format')}
        name="format"
        options={{
          ...{ csv: 'export.csv', xlsx: 'export.xlsx', jsonl: 'export.json' },
          ...(isOfContacts(object) ? { vcf: 'export.cards' } : {}),
        }}
        value={choice.format}
        onChange={(format) => onChange({ ...choice, format })}
      />
      {choice.format !== 'vcf' && (
        <Options
          legend={t('export.columns')}
          name="columns"
          options={{ shown: 'export.shown', all: 'export.all' }}
          value={choice.columns}
          onChange={(columns) => onChange({ ...choice, columns })}
        />
      )}
      {(choice.format === 'csv' || choice.format === 'xlsx') && (
        <Options
          legend={t('export.options')}
          name="names"
          options={{ names: 'export.names', keys: 'export.keys' }}
          value={choice.names}
          onChange={(names) => onChange({ ...choice, names })}
        />
      )}
      {choice.format === 'csv' && (
        <Group component="label" wrap="nowrap" gap="sm">
          <input
            type="checkbox"
            checked={choice.isForExcel}
            onChange={({ currentTarget }) =>
              onChange({ ...choice, isForExcel: currentTarget.checked })
            }
          />
          {t('export.excel')}
        </Group>
      )}
    </>
  );
}

interface OptionsProps<Value extends string> {
  readonly legend: string;
  readonly name: string;
  readonly options: Readonly<Partial<Record<Value, PlainKey>>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Options<Value extends string>(props: OptionsProps<Value>) {
  const { legend, name, options, value, onChange } = props;
  const t = useT();
  return (
    <fieldset className={classes.options}>
      <legend>{legend}</legend>
      {(Object.entries(options) as [Value, PlainKey][]).map(([one, label]) => (
        <Group key={one} component="label" wrap="nowrap" gap="sm">
          <input type="radio" name={name} checked={one === value} onChange={() => onChange(one)} />
          {t(label)}
        </Group>
      ))}
    </fieldset>
  );
}
