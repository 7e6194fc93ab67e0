// The records of an object: a question, which is its address, the tools that change it, and the layout that shows its
// records.

import { ActionIcon, Tooltip } from '@mantine/core';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { NewRecordButton } from '../../editing/new-record-button.tsx';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import type { Layouts } from '../../lib/record-layout.ts';
import { refreshLists } from '../../lib/record-lists.ts';
import { useObject } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { ColumnsButton } from './columns-button.tsx';
import { LayoutSwitch } from './layout-switch.tsx';
import classes from './records-page.module.css';
import { SearchField } from './search-field.tsx';
import { TableLayout } from './table-layout.tsx';
import { useLayouts, useView } from './use-view.ts';
import { ViewChanges, ViewProblems } from './views/view-changes.tsx';
import { ViewMenu } from './views/view-menu.tsx';

const Toolbar = later(() => import('./toolbar.tsx'));

interface RecordsPageProps {
  /** Those that are not part of this feature. */
  readonly layouts: Layouts;
}

export function RecordsPage({ layouts }: RecordsPageProps) {
  const { type } = useParams({ from: '/$workspace/shell/o/$type' });
  // Another object is another page: it keeps no state of this one.
  return <Records key={type} type={type} layouts={layouts} />;
}

function Records({ type, layouts }: RecordsPageProps & { readonly type: string }) {
  const object = useObject(type);
  const possible = useLayouts(object, layouts);
  const list = useView(object, possible);
  if (list === undefined) return null;
  const { view, change } = list;
  const Layout = layouts[view.layout] ?? TableLayout;
  return (
    <Page
      title={object.name ?? type}
      width="wide"
      beside={<ViewMenu object={object} list={list} />}
      actions={
        <>
          {object.capabilities.search && (
            <SearchField key={type} q={view.q} onChange={(q) => change({ ...view, q }, true)} />
          )}
          {view.layout === 'table' && (
            <ColumnsButton
              {...{ object }}
              fields={view.fields}
              onChange={(fields) => change({ ...view, fields })}
            />
          )}
          <LayoutSwitch
            layouts={possible}
            layout={view.layout}
            onChange={(layout) => change({ ...view, layout })}
          />
          <Refresh type={type} />
          <NewRecordButton object={object} />
        </>
      }
    >
      <div className={classes.list}>
        <div className={classes.toolbar}>
          <Toolbar object={object} view={view} onChange={change}>
            <ViewChanges object={object} list={list} />
          </Toolbar>
        </div>
        <ViewProblems list={list} />
        <Layout object={object} view={view} onChange={change} />
      </div>
    </Page>
  );
}

function Refresh({ type }: { readonly type: string }) {
  const t = useT();
  const { workspace } = useSession();
  const queries = useQueryClient();
  // First reads of pages do not count as refreshing.
  const isRefreshing = useIsFetching({
    queryKey: [workspace, type, 'list'],
    predicate: ({ state: { data, fetchMeta } }) =>
      data !== undefined && fetchMeta?.fetchMore === undefined,
  });
  return (
    <Tooltip label={t('records.refresh')}>
      <ActionIcon
        aria-label={t('records.refresh')}
        loading={isRefreshing > 0}
        onClick={() => void refreshLists(queries, workspace, type)}
      >
        <Icon name="refresh" />
      </ActionIcon>
    </Tooltip>
  );
}
