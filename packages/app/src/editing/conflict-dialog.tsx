// Two people have changed the same field, or one person in two places: both values, and the choice. Both are kept until it
// is made.

import { Button, Group, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Field } from '@workspace-records/client';
import { kindOf } from '../fields/kinds.ts';
import { fieldValue } from '../lib/field-value.ts';
import { useFormats } from '../lib/format.ts';
import { type LastChange, lastChangeQuery } from '../lib/last-change.ts';
import { useT } from '../lib/messages/index.ts';
import { usePersonName } from '../lib/person-names.ts';
import type { Conflict } from '../lib/record-writes.ts';
import { useSession } from '../lib/session.ts';
import framed from '../ui/framed-rows.module.css';
import classes from './conflict-dialog.module.css';

interface ConflictDialogProps {
  readonly conflict: Conflict;
  readonly onSettle: (settlement: 'mine' | 'theirs' | 'later') => void;
}

export default function ConflictDialog({ conflict, onSettle }: ConflictDialogProps) {
  const t = useT();
  const { intent, theirs } = conflict;
  const { field } = intent;
  const session = useSession();
  const { data: change } = useQuery(lastChangeQuery(session, theirs, field.key));
  const isOwn = change?.user === session.me.user.id;
  return (
    <Modal
      opened
      onClose={() => onSettle('later')}
      title={t(isOwn ? 'conflict.ownTitle' : 'conflict.title')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Text mb="lg">{t('conflict.text', { field: field.name ?? field.key })}</Text>
      {change && <Who change={change} isOwn={isOwn} />}
      <dl className={`${framed.rows} ${classes.values}`}>
        <Side
          name={t(isOwn ? 'conflict.other' : 'conflict.theirs')}
          field={field}
          value={fieldValue(theirs, field)}
        />
        <Side name={t('conflict.mine')} field={field} value={intent.value} />
      </dl>
      <Group wrap="nowrap" justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => onSettle('theirs')}>
          {t(isOwn ? 'conflict.keepOther' : 'conflict.keepTheirs')}
        </Button>
        <Button data-autofocus onClick={() => onSettle('mine')}>
          {t('conflict.keepMine')}
        </Button>
      </Group>
    </Modal>
  );
}

interface WhoProps {
  readonly change: LastChange;
  readonly isOwn: boolean;
}

/** The author and the time of the change. */
function Who({ change: { user, at }, isOwn }: WhoProps) {
  const t = useT();
  const { ago } = useFormats();
  const when = ago(at);
  const by = () => {
    if (isOwn) return t('conflict.byYou', { when });
    if (user === undefined) return t('conflict.when', { when });
    return <ByPerson id={user} when={when} />;
  };
  return <Text mb="lg">{by()}</Text>;
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
  const { Show } = kindOf(field);
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === null ? '–' : <Show value={value} field={field} />}</dd>
    </div>
  );
}
