// The tools of a list in one row: its filters, order, groups and columns, how it is shown, and reading it again. Where
// there is little room they are icons, and filters are one button that unfolds them. They come after the first rows.

import { ActionIcon, Tooltip } from '@mantine/core';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ObjectDefinition } from '@workspace-records/client';
import { NewFilter } from '../../editing/filters/new-filter.tsx';
import { TransferMenu } from '../../editing/transfers/transfer-menu.tsx';
import { useT } from '../../lib/messages/index.ts';
import { refreshLists } from '../../lib/record-lists.ts';
import { useSession } from '../../lib/session.ts';
import { keepsDeleted } from '../../lib/trash.ts';
import type { LayoutName } from '../../lib/view-state.ts';
import { Icon } from '../../ui/icon.tsx';
import { ToolButton } from '../../ui/tool-button.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { ColumnsButton } from './columns-button.tsx';
import { GroupMenu } from './groups/group-menu.tsx';
import { LayoutSwitch } from './layout-switch.tsx';
import classes from './records-page.module.css';
import { RowHeightMenu } from './row-height-menu.tsx';
import { SortMenu } from './sort-menu.tsx';
import type { ListView } from './use-view.ts';

interface ToolRowProps {
  readonly object: ObjectDefinition;
  readonly list: ListView;
  readonly layouts: readonly LayoutName[];
  /** True when the filters are shown below, where there is little room. */
  readonly isUnfolded: boolean;
  readonly onUnfold: () => void;
  /** The place for tools of the layout. */
  readonly toolsOfLayout: (place: HTMLElement | null) => void;
}

export default function ToolRow({ object, list, layouts, ...props }: ToolRowProps) {
  const { view, change } = list;
  const isTable = view.layout === 'table';
  return (
    <div className={classes.toolRow} data-tools>
      {/* First: the others differ from layout to layout. */}
      <LayoutSwitch
        layouts={layouts}
        layout={view.layout}
        onChange={(layout) => change({ ...view, layout })}
      />
      <FilterTool {...{ object, list }} {...props} />
      <SortMenu object={object} sort={view.sort} onChange={(sort) => change({ ...view, sort })} />
      {isTable && <GroupMenu object={object} view={view} onChange={change} />}
      {isTable && (
        <ColumnsButton
          object={object}
          fields={view.fields}
          onChange={(fields) => change({ ...view, fields })}
        />
      )}
      <span ref={props.toolsOfLayout} className={classes.toolsOfLayout} />
      {isTable && <RowHeightMenu object={object} view={view} onChange={change} />}
      <Deleted object={object} />
      <Refresh type={object.object_type} />
      <TransferMenu object={object} view={view} />
    </div>
  );
}

type FilterToolProps = Pick<ToolRowProps, 'object' | 'list' | 'isUnfolded' | 'onUnfold'>;

function FilterTool({ object, list, isUnfolded, onUnfold }: FilterToolProps) {
  const t = useT();
  const { view, change } = list;
  const { where } = view;
  const isNarrow = useIsNarrow();
  if (!isNarrow || where.length === 0) {
    return (
      <NewFilter
        isKeyed
        {...{ object, where }}
        onApply={(part) => change({ ...view, where: [...where, part] })}
      />
    );
  }
  return (
    <ToolButton icon="filter" keepsWord isActive aria-expanded={isUnfolded} onClick={onUnfold}>
      {t('filter.count', { count: where.length })}
    </ToolButton>
  );
}

/** The way to the deleted records of the list. */
function Deleted({ object }: Pick<ToolRowProps, 'object'>) {
  const t = useT();
  const { workspace, me } = useSession();
  const isOffered = object.permissions.delete.allowed && keepsDeleted(object);
  if (!isOffered || me.viewing !== undefined) return null;
  const params = { workspace, type: object.object_type };
  return (
    <ToolButton
      icon="trash"
      aria-label={t('trash.open')}
      renderRoot={(props) => <Link to="/$workspace/o/$type/deleted" params={params} {...props} />}
    >
      {t('trash.tool')}
    </ToolButton>
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
        className={classes.refresh}
        loading={isRefreshing > 0}
        onClick={() => void refreshLists(queries, workspace, type)}
      >
        <Icon name="refresh" />
      </ActionIcon>
    </Tooltip>
  );
}
