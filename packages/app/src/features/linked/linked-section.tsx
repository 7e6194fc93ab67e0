// One relationship of a record: the records at its other end, a way to link another one, to make one, to end a link.

import { Button, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { RecordData } from '@workspace-records/client';
import { useId, useState } from 'react';
import { NewRecordButton } from '../../editing/new-record-button.tsx';
import { RecordPicker } from '../../editing/record-picker.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useLinkChange } from '../../lib/record-links.ts';
import { type Linked, linkedQuery, referringField } from '../../lib/relationships.ts';
import { useSession } from '../../lib/session.ts';
import { readSetting, writeSetting } from '../../lib/storage.ts';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useSeen } from '../../ui/use-seen.ts';
import { LinkedRows } from './linked-rows.tsx';
import classes from './linked-section.module.css';
import { useLinkedFields } from './use-linked-fields.ts';

interface LinkedSectionProps {
  readonly name: string;
  readonly linked: Linked;
  readonly canLink: boolean;
}

export function LinkedSection({ name, linked, canLink }: LinkedSectionProps) {
  const t = useT();
  const id = useId();
  const [isOpen, setOpen] = useOpen(linked);
  const [isPicking, setPicking] = useState(false);
  const { ref, isSeen } = useSeen();
  const fields = useLinkedFields(linked, isSeen && isOpen);
  const query = useInfiniteQuery({
    ...linkedQuery(useSession(), linked, fields ?? []),
    enabled: fields !== undefined,
  });
  const change = useLinkChange(linked.place, linked.relationship);
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const canAdd = canLink && (rows.length === 0 || !SINGLE.has(linked.relationship.cardinality));
  const pick = () => {
    setOpen(true);
    setPicking(!isPicking);
  };
  const unlink = (target: string, title: string) =>
    change.mutate({ target, name: title, isLinked: false });
  return (
    <section ref={ref} className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <Title id={id} name={name} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        <NewLinked linked={linked} canLink={canAdd} onMade={(record) => change.mutate(record)} />
        {canAdd && (
          <Button
            variant="subtle"
            aria-label={`${t('linked.link')} ${name}`}
            aria-expanded={isPicking}
            onClick={pick}
          >
            {t('linked.link')}
          </Button>
        )}
      </div>
      {isPicking && canAdd && (
        <RecordPicker
          without={[linked.place.id, ...rows.map((row) => row.id)]}
          type={linked.relationship.object_type}
          label={t('linked.choose', { name })}
          onChoose={(chosen) => {
            change.mutate({ ...chosen, isLinked: true });
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
      {change.error !== null && <Problem error={change.error} />}
      {isOpen && (
        <LinkedRows
          {...{ query, rows }}
          fields={fields ?? []}
          titleId={id}
          onUnlink={canLink ? unlink : undefined}
        />
      )}
    </section>
  );
}

/** At most one at the other end: another one is linked when that is gone. */
const SINGLE: ReadonlySet<string> = new Set(['one_to_one', 'many_to_one']);

interface TitleProps {
  readonly id: string;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Title({ id, name, isOpen, onToggle }: TitleProps) {
  return (
    <h2 className={classes.title}>
      <UnstyledButton id={id} className={classes.toggle} aria-expanded={isOpen} onClick={onToggle}>
        <Icon name={isOpen ? 'chevron' : 'right'} size={12} />
        {name}
      </UnstyledButton>
    </h2>
  );
}

/** Each that is open is a request; what somebody opens stays so in this browser. */
function useOpen({ place, relationship }: Linked) {
  const name = `linked.${place.type}.${relationship.id}`;
  const [isOpen, setOpen] = useState(() => readSetting(name) === 'open');
  const keep = (next: boolean) => {
    writeSetting(name, next ? 'open' : 'closed');
    setOpen(next);
  };
  return [isOpen, keep] as const;
}

interface NewLinkedProps {
  readonly linked: Linked;
  readonly canLink: boolean;
  readonly onMade: (link: {
    readonly target: string;
    readonly name: string;
    readonly isLinked: true;
  }) => void;
}

/** One that refers to this record by a field has that from the start; another one is linked when it is there. */
function NewLinked({ linked: { place, relationship, other }, canLink, onMade }: NewLinkedProps) {
  const field = referringField(relationship);
  if (field !== undefined) {
    const preset = { [field]: place.id };
    return (
      <NewRecordButton
        object={other}
        variant="subtle"
        preset={preset}
        onCreated={() => undefined}
      />
    );
  }
  if (!canLink) return null;
  const link = (record: RecordData) =>
    onMade({ target: record.id, name: record.display ?? record.id, isLinked: true });
  return <NewRecordButton object={other} variant="subtle" onCreated={link} />;
}
