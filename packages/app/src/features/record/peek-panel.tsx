// The record beside a list: the same parts as on its page, in one column.

import { ActionIcon, Box, Button, Skeleton, Tooltip } from '@mantine/core';
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isRecordsError, type RecordData } from '@workspace-records/client';
import { type KeyboardEvent, memo, useDeferredValue, useEffect, useRef } from 'react';
import { neighboursOf, shownRecords } from '../../lib/list-trail.ts';
import { useT } from '../../lib/messages/index.ts';
import { recordQuery } from '../../lib/record-writes.ts';
import { useObjectOf } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { useLiveRecord } from '../../live/use-live.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './peek.module.css';
import type { PeekPanelProps } from './peek-host.tsx';
import { RecordMenu } from './record-menu.tsx';
import { Step } from './record-trail.tsx';
import { type RecordParts, RecordView } from './record-view.tsx';
import { isTyping } from './typing.ts';

interface PeekedRecordProps extends PeekPanelProps {
  /** The parts; the object must be the same at each rendering. */
  readonly parts: RecordParts;
}

export function PeekPanel({ type, id, onClose, onShow, parts }: PeekedRecordProps) {
  const t = useT();
  const session = useSession();
  const { data: record } = useQuery(recordQuery(session, type, id));
  // The frame comes at once, and the record after it: keys and clicks do not wait for all of its parts.
  const shownId = useDeferredValue(id, NONE);
  const panel = useRef<HTMLElement>(null);
  useFocusWhereAlone(panel);
  const neighbours = useNeighbours(type, id);
  const go = (to: string | undefined) => {
    if (to !== undefined) onShow(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    const acts = new Map([
      ['Escape', onClose],
      ['ArrowUp', () => go(neighbours().found?.previous)],
      ['ArrowDown', () => go(neighbours().found?.next)],
    ]);
    const act = acts.get(event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <aside
      ref={panel}
      className={classes.panel}
      aria-label={t('peek.title', { name: record?.display ?? '' })}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={classes.bar}>
        <Tooltip label={`${t('peek.close')} (Esc)`}>
          <ActionIcon aria-label={t('peek.close')} onClick={onClose}>
            <Icon name="close" />
          </ActionIcon>
        </Tooltip>
        {shownId !== NONE && <Steps {...{ type, id, go }} />}
        <span className={classes.gap} />
        {shownId !== NONE && <Acts type={type} id={shownId} />}
      </div>
      {/* A click never goes to the record before. */}
      <Box mih={0} flex={1} inert={shownId !== NONE && shownId !== id}>
        {shownId === NONE ? (
          <Awaited />
        ) : (
          <Content key={shownId} {...{ type, id: shownId, parts }} />
        )}
      </Box>
    </aside>
  );
}

/** No id: nothing is shown yet. */
const NONE = '';

/** Among the records that the list shows by then. */
function useNeighbours(type: string, id: string) {
  const { workspace } = useSession();
  const queries = useQueryClient();
  return () => {
    const { ids, hasMore } = shownRecords(queries, { workspace, type });
    return { found: neighboursOf(ids, id), count: hasMore ? `${ids.length}+` : ids.length };
  };
}

interface StepsProps extends RecordPlace {
  readonly go: (to: string | undefined) => void;
}

interface RecordPlace {
  readonly type: string;
  readonly id: string;
}

function Steps({ type, id, go }: StepsProps) {
  const t = useT();
  const { workspace } = useSession();
  // A list that comes, or gets another page, has other records.
  useIsFetching({ queryKey: [workspace, type, 'list'] });
  const { found: neighbours, count } = useNeighbours(type, id)();
  if (neighbours === undefined) return null;
  return (
    <>
      <Step name="up" label={t('record.previous')} keys="↑" to={neighbours.previous} onGo={go} />
      <Step name="down" label={t('record.next')} keys="↓" to={neighbours.next} onGo={go} />
      <span className={classes.position}>
        {t('record.place', { position: neighbours.position, count })}
      </span>
    </>
  );
}

const Acts = memo(function Acts({ type, id }: RecordPlace) {
  const { data: record } = useQuery(recordQuery(useSession(), type, id));
  if (record === undefined) return null;
  return (
    <>
      <Open record={record} />
      <Menu record={record} />
    </>
  );
});

interface ContentProps extends RecordPlace {
  readonly parts: RecordParts;
}

const Content = memo(function Content({ type, id, parts }: ContentProps) {
  const t = useT();
  const query = useQuery(recordQuery(useSession(), type, id));
  const { data: record, error, refetch } = query;
  const { isGone } = useLiveRecord(type, id);
  if (isGone || isRecordsError(error, 'record_not_found'))
    return <EmptyState title={t('live.gone')} text={t('live.goneText')} />;
  if (record !== undefined) return <View record={record} {...parts} />;
  if (error === null) return <Awaited />;
  return (
    <div className={classes.problem}>
      <Problem error={error} />
      <Button variant="default" onClick={() => void refetch()}>
        {t('broken.again')}
      </Button>
    </div>
  );
});

/** A placeholder for the head of a record that is being loaded. */
function Awaited() {
  return (
    <div className={classes.problem} aria-busy="true">
      <Skeleton height={20} width="55%" />
      <Skeleton height={12} width="35%" />
      <Skeleton height={96} mt="xs" radius="md" />
    </div>
  );
}

function View({ record, ...parts }: RecordParts & { readonly record: RecordData }) {
  return <RecordView object={useObjectOf(record)} record={record} {...parts} layout="peek" />;
}

function Open({ record: { object_type: type, id } }: { readonly record: RecordData }) {
  const t = useT();
  const { workspace } = useSession();
  return (
    <Button
      variant="default"
      leftSection={<Icon name="expand" size={14} />}
      renderRoot={(props) => (
        <Link to="/$workspace/o/$type/$id" params={{ workspace, type, id }} {...props} />
      )}
    >
      {t('peek.open')}
    </Button>
  );
}

function Menu({ record }: { readonly record: RecordData }) {
  return <RecordMenu object={useObjectOf(record)} record={record} />;
}

/** The media query for narrow screens, as in peek.module.css. */
const ALONE = '(max-width: 56rem)';

/** Moves the focus to the panel on narrow screens, where it covers the list. */
function useFocusWhereAlone(panel: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (matchMedia(ALONE).matches) panel.current?.focus({ preventScroll: true });
  }, [panel]);
}
