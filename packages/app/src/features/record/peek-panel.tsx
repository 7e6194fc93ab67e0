// The record beside a list: the same parts as on its page, in one column.

import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core';
import {
  type UseQueryResult,
  useIsFetching,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isRecordsError, type RecordData } from '@workspace-records/client';
import { type KeyboardEvent, useEffect, useRef } from 'react';
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

export function PeekPanel({ type, id, onClose, onShow, ...parts }: PeekPanelProps & RecordParts) {
  const t = useT();
  const session = useSession();
  const query = useQuery(recordQuery(session, type, id));
  const steps = useSteps({ type, id, onShow });
  const panel = useRef<HTMLElement>(null);
  useFocusWhereAlone(panel);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    const acts = new Map([
      ['Escape', onClose],
      ['ArrowUp', () => steps.go(steps.found?.previous)],
      ['ArrowDown', () => steps.go(steps.found?.next)],
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
      aria-label={t('peek.title', { name: query.data?.display ?? '' })}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={classes.bar}>
        <Tooltip label={`${t('peek.close')} (Esc)`}>
          <ActionIcon aria-label={t('peek.close')} onClick={onClose}>
            <Icon name="close" />
          </ActionIcon>
        </Tooltip>
        <Steps {...steps} />
        <span className={classes.gap} />
        {query.data !== undefined && <Open record={query.data} />}
        {query.data !== undefined && <Menu record={query.data} />}
      </div>
      <div key={id} className={classes.content}>
        <Content {...{ type, id, query }} {...parts} />
      </div>
    </aside>
  );
}

/** Among the records that the list shows. */
function useSteps({ type, id, onShow }: Omit<PeekPanelProps, 'onClose'>) {
  const { workspace } = useSession();
  // A list that comes, or gets another page, has other records.
  useIsFetching({ queryKey: [workspace, type, 'list'] });
  const { ids, hasMore } = shownRecords(useQueryClient(), { workspace, type });
  const go = (to: string | undefined) => {
    if (to !== undefined) onShow(to);
  };
  return { found: neighboursOf(ids, id), count: hasMore ? `${ids.length}+` : ids.length, go };
}

function Steps({ found, count, go }: ReturnType<typeof useSteps>) {
  const t = useT();
  if (found === undefined) return null;
  return (
    <>
      <Step name="up" label={t('record.previous')} keys="↑" to={found.previous} onGo={go} />
      <Step name="down" label={t('record.next')} keys="↓" to={found.next} onGo={go} />
      <span className={classes.place}>
        {t('record.place', { position: found.position, count })}
      </span>
    </>
  );
}

interface ContentProps extends RecordParts {
  readonly type: string;
  readonly id: string;
  readonly query: Pick<UseQueryResult<RecordData>, 'data' | 'error' | 'refetch'>;
}

function Content({ type, id, query: { data: record, error, refetch }, ...parts }: ContentProps) {
  const t = useT();
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
}

/** In place of the head of a record that comes. */
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

/** As in peek.module.css. */
const ALONE = '(max-width: 56rem)';

/** On narrow screens it covers the list, and the focus goes with it. */
function useFocusWhereAlone(panel: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (matchMedia(ALONE).matches) panel.current?.focus({ preventScroll: true });
  }, [panel]);
}
