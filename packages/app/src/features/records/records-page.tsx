// The records of an object: a question, which is its address, the tools that change it, and the layout that shows its
// records.

import { useMediaQuery } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { NewRecordButton } from '../../editing/new-record-button.tsx';
import { later } from '../../lib/later.tsx';
import type { Layouts } from '../../lib/record-layout.ts';
import { useObject } from '../../lib/schema-queries.ts';
import { PLAIN_VIEW } from '../../lib/view-state.ts';
import { Page } from '../../ui/page.tsx';
import { QuestionLine } from './question-line.tsx';
import classes from './records-page.module.css';
import { SearchField } from './search-field.tsx';
import { TableLayout } from './table-layout.tsx';
import { useListSearch } from './use-list-search.ts';
import { useLayouts, useView } from './use-view.ts';
import { ViewChanges, ViewProblems } from './views/view-changes.tsx';
import type { OpenDialog } from './views/view-menu.tsx';
import { ViewTabs } from './views/view-tabs.tsx';

const ToolRow = later(() => import('./tool-row.tsx'));
const ViewDialogs = later(() => import('./views/view-dialogs.tsx'));

interface RecordsPageProps {
  /** The board and the calendar, which are features of their own. */
  readonly layouts: Layouts;
}

export function RecordsPage({ layouts }: RecordsPageProps) {
  const { type } = useParams({ from: '/$workspace/shell/o/$type' });
  // Another object is another page: it keeps no state of this one.
  return <Records key={type} type={type} layouts={layouts} />;
}

/** Wide enough for the changes of a view beside the title, where they move nothing. */
const ROOMY = '(min-width: 62rem)';

function Records({ type, layouts }: RecordsPageProps & { readonly type: string }) {
  const object = useObject(type);
  const possible = useLayouts(object, layouts);
  const list = useView(object, possible);
  const search = useListSearch(object, list?.view ?? PLAIN_VIEW);
  const isRoomy = useMediaQuery(ROOMY, true, { getInitialValueInEffect: false });
  const [dialog, setDialog] = useState<OpenDialog>();
  const [isUnfolded, setUnfolded] = useState(false);
  const [toolsOfLayout, setToolsOfLayout] = useState<HTMLElement | null>(null);
  if (list === undefined) return null;
  const { view, change } = list;
  const Layout = layouts[view.layout] ?? TableLayout;
  return (
    <Page
      title={object.name ?? type}
      width="wide"
      beside={<ViewTabs object={object} list={list} onDialog={setDialog} />}
      actions={
        <>
          {isRoomy && <ViewChanges {...{ object, list }} onDialog={setDialog} />}
          <NewRecordButton object={object} isKeyed />
        </>
      }
    >
      <div className={classes.list}>
        <div className={classes.tools}>
          <ToolRow
            {...{ object, list, isUnfolded }}
            layouts={possible}
            onUnfold={() => setUnfolded(!isUnfolded)}
            toolsOfLayout={setToolsOfLayout}
          />
          {object.capabilities.search && (
            <SearchField
              key={type}
              q={view.q}
              columns={search.columns}
              onBegin={search.begin}
              onChange={(q) => change({ ...view, q }, true)}
            />
          )}
        </div>
        <QuestionLine {...{ object, list, isUnfolded, isRoomy }} onDialog={setDialog} />
        <ViewProblems list={list} />
        <Layout
          object={object}
          view={search.view}
          onChange={(next, replaces) => change(search.toAddress(next), replaces)}
          tools={toolsOfLayout}
        />
      </div>
      {dialog !== undefined && (
        <ViewDialogs {...{ object, list, dialog }} onClose={() => setDialog(undefined)} />
      )}
    </Page>
  );
}
