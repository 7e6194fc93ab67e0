// Two people have changed the same field: both values, and the choice. Both are kept until it is made.

import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Field, RecordData } from '@workspace-records/client';
import { showOf } from '../fields/shows.ts';
import { fieldValue } from '../lib/field-value.ts';
import { useFormats } from '../lib/format.ts';
import { lastChangeQuery } from '../lib/last-change.ts';
import { useT } from '../lib/messages/index.ts';
import { usePersonName } from '../lib/person-names.ts';
import type { Conflict } from '../lib/record-writes.ts';
import { useSession } from '../lib/session.ts';
import classes from './conflict-dialog.module.css';

interface ConflictDialogProps {
  readonly conflict: Conflict;
  readonly onSettle: (settlement: 'mine' | 'theirs' | 'later') => void;
}

export default function ConflictDialog({ conflict, onSettle }: ConflictDialogProps) {
  const t = useT();
  const { intent, theirs } = conflict;
  const { field } = intent;
  return (
    <Modal
      opened
      onClose={() => onSettle('later')}
      title={t('conflict.title')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <p className={classes.text}>{t('conflict.text', { field: field.name ?? field.key })}</p>
      <Who record={theirs} field={field} />
      <dl className={classes.values}>
        <Side name={t('conflict.theirs')} field={field} value={fieldValue(theirs, field)} />
        <Side name={t('conflict.mine')} field={field} value={intent.value} />
      </dl>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onSettle('theirs')}>
          {t('conflict.keepTheirs')}
        </Button>
        <Button data-autofocus onClick={() => onSettle('mine')}>
          {t('conflict.keepMine')}
        </Button>
      </div>
    </Modal>
  );
}

/** The author and the time of the change, as soon as they are known. */
function Who({ record, field }: { readonly record: RecordData; readonly field: Field }) {
  const t = useT();
  const { ago } = useFormats();
  const { data } = useQuery(lastChangeQuery(useSession(), record, field.key));
  if (!data) return null;
  const when = ago(data.at);
  if (data.user === undefined)
    return <p className={classes.text}>{t('conflict.when', { when })}</p>;
  return (
    <p className={classes.text}>
      <ByPerson id={data.user} when={when} />
    </p>
  );
}

function ByPerson({ id, when }: { readonly id: number; readonly when: string }) {
  const t = useT();
  const name = usePersonName(id);
  return name === '' ? null : t('conflict.by', { name, when });
}

interface SideProps {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
}

function Side({ name, field, value }: SideProps) {
  const { Show } = showOf(field);
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === null ? '–' : <Show value={value} field={field} />}</dd>
    </div>
  );
}
