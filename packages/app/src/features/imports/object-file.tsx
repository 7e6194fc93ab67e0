// A new object from a file: its columns become the fields, with guessed types, which are shown before anything is made. The
// rows are then imported on the page of imports.

import { Alert, Button, Modal, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Table, TableChoices } from '../../../../tables/src/reading.ts';
import { faultOf } from '../../../../tables/src/table-fault.ts';
import { kindOf } from '../../fields/kinds.ts';
import { keyFor } from '../../lib/definition/rename.ts';
import { useStart } from '../../lib/definition/use-start.ts';
import { withNewObject } from '../../lib/definition/usual-grants.ts';
import { keptFileName, writeKept } from '../../lib/kept-files.ts';
import { useT } from '../../lib/messages/index.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { FAULT_TEXTS, FILE_TYPES, readTableFile } from '../../lib/table-file.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { FileForm } from '../../ui/file-form.tsx';
import { FileNotices } from '../../ui/file-notices.tsx';
import framed from '../../ui/framed-rows.module.css';
import { Problem } from '../../ui/problem.tsx';
import classes from './object-file.module.css';
import { objectOf } from './object-of-table.ts';

interface ReadFile {
  readonly file: File;
  readonly table: Table;
}

interface Reading {
  readonly file: File;
  readonly choices: TableChoices;
}

export default function ObjectFile({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const reading = useMutation({
    mutationFn: async ({ file, choices }: Reading): Promise<ReadFile> => ({
      ...{ file, table: await readTableFile(file, choices) },
    }),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="36rem"
      title={t('start.fromFile')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <label className={classes.choose}>
        <span>{t('start.choose')}</span>
        <input
          type="file"
          accept={FILE_TYPES}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) reading.mutate({ file, choices: {} });
          }}
        />
      </label>
      {reading.error !== null && (
        <Alert color="red" variant="light" role="alert">
          {t(FAULT_TEXTS[faultOf(reading.error)?.fault ?? 'binary'])}
        </Alert>
      )}
      {reading.data !== undefined && (
        <div className={classes.read}>
          <FileForm
            table={reading.data.table}
            onChange={(choices) => reading.mutate({ file: reading.variables.file, choices })}
          />
          <FileNotices fileName={reading.data.file.name} table={reading.data.table} hasColumns />
          <NewObject
            key={JSON.stringify(reading.data.table.guesses)}
            read={reading.data}
            onClose={onClose}
          />
        </div>
      )}
    </Modal>
  );
}

interface NewObjectProps {
  readonly read: ReadFile;
  readonly onClose: () => void;
}

function NewObject({ read: { file, table }, onClose }: NewObjectProps) {
  const t = useT();
  const { workspace, me } = useSession();
  const navigate = useNavigate();
  const taken = Object.fromEntries(useObjects().map(({ object_type }) => [object_type, true]));
  const [name, setName] = useState(nameOfFile(file.name));
  const type = keyFor(name.trim(), taken, true);
  const { mutate, isPending, error } = useStart(async () => {
    await writeKept(keptFileName(workspace, me.user.id, type), {
      fileName: file.name,
      table,
      original: file,
    });
    onClose();
    await navigate({
      to: '/$workspace/import/$type',
      params: { workspace, type },
      search: { step: 'columns' },
    });
  });
  const object = objectOf(name.trim(), table, t('start.fullName'));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate((document) => withNewObject(document, type, object));
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={t('start.name')}
        required
        withAsterisk={false}
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Text c="dimmed" my="md">
        {t('start.columns', { count: table.rows })}
      </Text>
      <MadeFields object={object} table={table} />
      {error !== null && <Problem error={error} />}
      <DialogButtons onClose={onClose}>
        <Button type="submit" loading={isPending}>
          {t('start.makeAndImport')}
        </Button>
      </DialogButtons>
    </form>
  );
}

interface MadeFieldsProps {
  readonly object: ReturnType<typeof objectOf>;
  readonly table: Table;
}

function MadeFields({ object: { display_field: display }, table }: MadeFieldsProps) {
  const t = useT();
  const isMade = display !== undefined && table.guesses.every(({ key }) => key !== display);
  return (
    <dl className={`${framed.rows} ${framed.terms}`}>
      {isMade && (
        <div>
          <dt>{t('start.fullName')}</dt>
          <dd>{t('start.madeName')}</dd>
        </div>
      )}
      {table.guesses.map(({ key, name: heading, type: guessed }, index) => (
        <div key={key}>
          <dt>{heading}</dt>
          <dd>
            {t(kindOf({ type: guessed }).name)}
            {samples(table, index)}
            {key === display && <strong>{t('start.isName')}</strong>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The first values, so that a person sees wrong letters before anything is made. */
function samples({ columns }: Table, index: number): string {
  const values = columns[index]?.distinct.slice(0, 2) ?? [];
  return values.length === 0 ? '' : `: ${values.join(' · ').slice(0, 60)}`;
}

/** The name of a file without its ending, such as `Open invoices` for `open_invoices.csv`. */
function nameOfFile(file: string): string {
  const words = file
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
