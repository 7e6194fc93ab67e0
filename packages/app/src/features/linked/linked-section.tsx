// One relationship of a record: the number of records at its other end and the newest of them, all of them as a table
// when somebody opens it, a way to link another one, to make one, to end a link.

import { Button, Group, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { RecordData } from '@workspace-records/client';
import { useId, useState } from 'react';
import { NewRecordButton } from '../../editing/new-record-button.tsx';
import { RecordPicker } from '../../editing/record-picker.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useLinkChange } from '../../lib/record-links.ts';
import {
  type Linked,
  type LinkedStart,
  linkedQuery,
  referringField,
} from '../../lib/relationships.ts';
import { useSession } from '../../lib/session.ts';
import { readSetting, writeSetting } from '../../lib/storage.ts';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import { Problem } from '../../ui/problem.tsx';
import { useSeen } from '../../ui/use-seen.ts';
import { FirstRows } from './first-rows.tsx';
import { LinkedRows, type LinkedRowsProps } from './linked-rows.tsx';
import classes from './linked-section.module.css';
import { useLinkedFields } from './use-linked-fields.ts';

interface LinkedSectionProps {
  readonly name: string;
  readonly linked: Linked;
  /** Undefined: it could not be read. */
  readonly start: LinkedStart | undefined;
  readonly error: unknown;
  readonly canLink: boolean;
}

export function LinkedSection({ name, linked, start, error, canLink }: LinkedSectionProps) {
  const t = useT();
  const id = useId();
  const [isOpen, setOpen] = useOpen(linked);
  const [isPicking, setPicking] = useState(false);
  const change = useLinkChange(linked.place, linked.relationship);
  const rows = start?.rows ?? [];
  const count = start?.count ?? 0;
  const canAdd = canLink && (count === 0 || !SINGLE.has(linked.relationship.cardinality));
  const unlink = canLink
    ? (target: string, title: string) => change.mutate({ target, name: title, isLinked: false })
    : undefined;
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Group gap="xs" mih={32}>
        <Title {...{ id, name, isOpen, linked, start }} onToggle={() => setOpen(!isOpen)} />
        <NewLinked linked={linked} canLink={canAdd} onMade={(record) => change.mutate(record)} />
        {canAdd && (
          <Button
            variant="subtle"
            aria-label={`${t('linked.link')} ${name}`}
            aria-expanded={isPicking}
            onClick={() => setPicking(!isPicking)}
          >
            {t('linked.link')}
          </Button>
        )}
      </Group>
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
      {[change.error, error].map(
        (one) => one !== null && <Problem key={String(one)} error={one} />,
      )}
      {isOpen && <OpenRows linked={linked} titleId={id} onUnlink={unlink} />}
      {!isOpen && rows.length > 0 && (
        <FirstRows linked={linked} rows={rows} titleId={id} onUnlink={unlink} />
      )}
      {!isOpen && count > rows.length && (
        <Button variant="subtle" color="gray" className={classes.all} onClick={() => setOpen(true)}>
          {t('linked.all', { count: countText(start) })}
        </Button>
      )}
    </section>
  );
}

interface OpenRowsProps extends Pick<LinkedRowsProps, 'titleId' | 'onUnlink'> {
  readonly linked: Linked;
}

function OpenRows({ linked, ...props }: OpenRowsProps) {
  const { ref, isSeen } = useSeen();
  const fields = useLinkedFields(linked, isSeen);
  const query = useInfiniteQuery({
    ...linkedQuery(useSession(), linked, fields ?? []),
    enabled: fields !== undefined,
  });
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div ref={ref}>
      <LinkedRows {...{ query, rows }} fields={fields ?? []} {...props} />
    </div>
  );
}

function countText(start: LinkedStart | undefined): string {
  if (start === undefined) return '';
  return start.isMore ? `${start.count}+` : String(start.count);
}

/** The cardinalities with at most one record at the other end: another one can be linked after that one is removed. */
const SINGLE: ReadonlySet<string> = new Set(['one_to_one', 'many_to_one']);

interface TitleProps extends Pick<LinkedSectionProps, 'name' | 'linked' | 'start'> {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Title({ id, name, isOpen, linked, start, onToggle }: TitleProps) {
  return (
    <>
      <h2 className={classes.title}>
        <UnstyledButton
          id={id}
          className={classes.toggle}
          aria-expanded={isOpen}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'chevron' : 'right'} size={12} />
          <Icon name={iconOf(linked.other)} size={14} />
          {name}
        </UnstyledButton>
      </h2>
      <span className={classes.count}>{countText(start)}</span>
      <span className={classes.gap} />
    </>
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

/** The button for a new record. A reference to this record is set from the start; a link is added afterwards. */
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
