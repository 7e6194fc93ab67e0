// The way from the page of a record back to the list it was opened from, and to the records before and after it there.

import { ActionIcon, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { type ListTrail, neighboursOf, readTrail } from '../../lib/list-trail.ts';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { viewsQuery } from '../../lib/saved-views.ts';
import type { SearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../lib/session.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import classes from './record-page.module.css';
import { isTyping } from './typing.ts';

const NO_SEARCH: SearchParams = {};

interface RecordTrailProps {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
}

export function RecordTrail({ object, record }: RecordTrailProps) {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  const { workspace } = session;
  const { object_type: type, public_id } = record;
  const trail = useTrail(workspace, type);
  const search = trail?.search ?? NO_SEARCH;
  const views = queries.getQueryData(viewsQuery(session, type).queryKey);
  const view = views?.find(({ id }) => id === search.view)?.name;
  const params = { workspace, type };
  return (
    <nav aria-label={t('record.path')} className={classes.path}>
      <Link to="/$workspace/o/$type" params={params} search={search} preload={false}>
        {object.name ?? type}
      </Link>
      {view !== undefined && (
        <>
          <span aria-hidden="true">/</span>
          <Link to="/$workspace/o/$type" params={params} search={search} preload={false}>
            {view}
          </Link>
        </>
      )}
      <span aria-hidden="true">/</span>
      <span className={classes.here}>{public_id ?? recordName(record)}</span>
    </nav>
  );
}

/** The list is noted when its page goes, which is after the first rendering of this one. */
function useTrail(workspace: string, type: string): ListTrail | undefined {
  const [trail, setTrail] = useState<ListTrail>();
  useEffect(() => setTrail(readTrail({ workspace, type })), [workspace, type]);
  return trail;
}

interface RecordStepsProps {
  readonly type: string;
  readonly id: string;
}

/**
 * Steps to the next and previous record, also by the keys K and J; nothing where the record is not in the last list.
 */
export function RecordSteps({ type, id }: RecordStepsProps) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const trail = useTrail(workspace, type);
  const neighbours = trail && neighboursOf(trail.ids, id);
  const go = (to: string | undefined) => {
    if (to === undefined) return;
    // Back leads to the list.
    void navigate({
      to: '/$workspace/o/$type/$id',
      params: { workspace, type, id: to },
      replace: true,
    });
  };
  useStepKeys({ k: () => go(neighbours?.previous), j: () => go(neighbours?.next) });
  if (trail === undefined || neighbours === undefined) return null;
  const count = trail.hasMore ? `${trail.ids.length}+` : trail.ids.length;
  return (
    <div className={classes.steps}>
      <span className={classes.place}>
        {t('record.place', { position: neighbours.position, count })}
      </span>
      <Step name="up" label={t('record.previous')} keys="K" to={neighbours.previous} onGo={go} />
      <Step name="down" label={t('record.next')} keys="J" to={neighbours.next} onGo={go} />
    </div>
  );
}

interface StepProps {
  readonly name: IconName;
  readonly label: string;
  readonly keys: string;
  readonly to: string | undefined;
  readonly onGo: (to: string | undefined) => void;
}

export function Step({ name, label, keys, to, onGo }: StepProps) {
  return (
    <Tooltip label={`${label} (${keys})`}>
      <ActionIcon
        className={classes.step}
        aria-label={label}
        aria-disabled={to === undefined}
        onClick={() => onGo(to)}
      >
        <Icon name={name} />
      </ActionIcon>
    </Tooltip>
  );
}

function useStepKeys(acts: Readonly<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented, target } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey || isTyping(target)) return;
    acts[key]?.();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
