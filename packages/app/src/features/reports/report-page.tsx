// A report: its question in the address, on top of the saved one that the address names, and its answer.

import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ObjectDefinition, View } from '@workspace-records/client';
import { useDeferredValue, useMemo, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { firstFilledQuery } from '../../lib/open-work.ts';
import { recentObject } from '../../lib/recent.ts';
import { useObject, useReadableObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { reportQuery } from './api.ts';
import { ReportActions } from './report-actions.tsx';
import { ReportChart } from './report-chart.tsx';
import { ReportProblems } from './report-problems.tsx';
import {
  firstState,
  parseReport,
  printReport,
  type ReportState,
  stateOfReport,
} from './report-state.ts';
import { ReportTools } from './report-tools.tsx';
import classes from './reports.module.css';

const FROM = '/$workspace/shell/reports/$id';
/** The value in the address in the place of an id. */
export const NEW = 'new';

export default function ReportPage() {
  const { id } = useParams({ from: FROM });
  return id === NEW ? <NewReport /> : <SavedReport key={id} id={id} />;
}

function SavedReport({ id }: { readonly id: string }) {
  const { data: view } = useSuspenseQuery(reportQuery(useSession(), id));
  const object = useObject(view.object_type);
  const base = useMemo(() => stateOfReport(view, object), [view, object]);
  return <Editor object={object} base={base} saved={view} />;
}

/** A new report on the object in the address, else on the one visited last, else on the first with records. */
function NewReport() {
  const t = useT();
  const { workspace } = useSession();
  const { object: wished } = useSearch({ from: FROM });
  const [recent] = useState(() => recentObject(workspace));
  const readable = useReadableObjects();
  const types = readable.map(({ object_type }) => object_type);
  const found = [wished, recent].find((one) => one !== undefined && types.includes(one));
  if (found !== undefined) return <NewOf key={found} type={found} />;
  if (types.length > 0) return <NewOfFirst types={types} />;
  return (
    <Page title={t('reports.new')}>
      <EmptyState title={t('reports.noObjects')} />
    </Page>
  );
}

function NewOfFirst({ types }: { readonly types: readonly string[] }) {
  const { data: filled } = useSuspenseQuery(firstFilledQuery(useSession(), types));
  return <NewOf type={filled ?? types[0] ?? ''} />;
}

function NewOf({ type }: { readonly type: string }) {
  const object = useObject(type);
  const base = useMemo(() => firstState(object), [object]);
  return <Editor object={object} base={base} saved={undefined} />;
}

interface EditorProps {
  readonly object: ObjectDefinition;
  readonly base: ReportState;
  readonly saved: View | undefined;
}

function Editor({ object, base, saved }: EditorProps) {
  const t = useT();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: '/$workspace/reports/$id' });
  const state = useMemo(() => parseReport(search, object, base), [search, object, base]);
  // The tools follow at once, and the drawing after them.
  const drawn = useDeferredValue<ReportState | null>(state, null);
  const ofObject = saved === undefined ? { object: object.object_type } : {};
  const change = (next: ReportState) =>
    void navigate({ search: { ...ofObject, ...printReport(next, base) } });
  return (
    <Page
      title={saved?.name ?? t('reports.new')}
      width="wide"
      actions={<ReportActions {...{ object, state, base, saved }} />}
    >
      <div className={classes.report}>
        <ReportTools
          {...{ object, state }}
          onChange={change}
          onObject={
            saved === undefined ? (type) => void navigate({ search: { object: type } }) : undefined
          }
        />
        <div className={classes.drawn}>
          {saved !== undefined && <ReportProblems view={saved} />}
          {saved?.hidden !== true && drawn !== null && (
            <ReportChart object={object} state={drawn} />
          )}
        </div>
      </div>
    </Page>
  );
}
