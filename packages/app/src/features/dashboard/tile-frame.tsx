// A tile: the name of its report, which leads to it, the handle and menu that arrange it, and the report.

import {
  draggable,
  dropTargetForElements,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/utils/combine';
import { ActionIcon, Group, Menu, Text } from '@mantine/core';
import { CatchBoundary, Link } from '@tanstack/react-router';
import type { View } from '@workspace-records/client';
import { type ComponentType, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { Tile } from '../../lib/dashboards.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuChoice } from '../../ui/menu-choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './dashboard.module.css';
import { COLUMNS } from './tiles.ts';
import type { Arranging } from './use-arranging.ts';

interface TileFrameProps {
  readonly tile: Tile;
  /** Undefined: the report is gone, or not shared with the person. */
  readonly view: View | undefined;
  readonly arranging: Arranging;
  readonly isFixed: boolean;
  readonly Report: ComponentType<{ readonly view: View }>;
}

export function TileFrame({ Report, ...frame }: TileFrameProps) {
  const t = useT();
  const { tile, view, arranging, isFixed } = frame;
  const titleId = useId();
  const { root, handle, isOver, isDragged } = useDragging(tile.view_id, isFixed);
  const isHeld = arranging.held === tile.view_id;
  return (
    <li
      ref={root}
      className={classes.tile}
      data-width={tile.width}
      data-held={isHeld || isDragged || undefined}
      data-over={isOver || undefined}
      aria-labelledby={titleId}
    >
      <Group wrap="nowrap" gap="xs" p="0.375rem 0.5rem 0 0.375rem" mih={40}>
        {!isFixed && <Handle {...frame} handle={handle} />}
        <Title id={titleId} view={view} />
        {!isFixed && <TileMenu {...frame} />}
      </Group>
      <div className={classes.body} data-chart={view?.chart ?? undefined}>
        {view === undefined ? (
          <Text c="dimmed">{t('dashboards.goneText')}</Text>
        ) : (
          <CatchBoundary getResetKey={() => view.version} errorComponent={Problem}>
            <Suspense fallback={<div aria-busy="true" />}>
              <Report view={view} />
            </Suspense>
          </CatchBoundary>
        )}
      </div>
    </li>
  );
}

function Title({ id, view }: { readonly id: string; readonly view: View | undefined }) {
  const t = useT();
  const { workspace } = useSession();
  return (
    <h2 id={id} className={classes.title}>
      {view === undefined ? (
        t('dashboards.goneTile')
      ) : (
        <Link to="/$workspace/reports/$id" params={{ workspace, id: view.id }} draggable={false}>
          {view.name}
        </Link>
      )}
    </h2>
  );
}

type FrameProps = Omit<TileFrameProps, 'Report'>;

function Handle({
  tile,
  view,
  arranging,
  handle,
}: FrameProps & { readonly handle: ReturnType<typeof useDragging>['handle'] }) {
  const t = useT();
  const name = view?.name ?? t('dashboards.goneTile');
  return (
    <button
      ref={handle}
      type="button"
      className={classes.handle}
      aria-label={t('dashboards.handle', { name })}
      aria-pressed={arranging.held === tile.view_id}
      aria-describedby={arranging.hintId}
      onKeyDown={(event) => arranging.onKeyDown(tile.view_id, event)}
      onBlur={() => arranging.held === tile.view_id && arranging.putBack()}
    >
      <Icon name="grip" size={14} />
    </button>
  );
}

function TileMenu({ tile, view, arranging }: FrameProps) {
  const t = useT();
  const { tiles, move, resize, remove } = arranging;
  const { view_id: id, width } = tile;
  const tileIndex = tiles.findIndex((one) => one.view_id === id);
  const name = view?.name ?? t('dashboards.goneTile');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('dashboards.tileMenu', { name })}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuChoice isClosed={tileIndex === 0} onClick={() => move(id, tileIndex - 1)}>
          {t('dashboards.earlier')}
        </MenuChoice>
        <MenuChoice
          isClosed={tileIndex === tiles.length - 1}
          onClick={() => move(id, tileIndex + 1)}
        >
          {t('dashboards.later')}
        </MenuChoice>
        <MenuChoice isClosed={width === COLUMNS} onClick={() => resize(id, 1)}>
          {t('dashboards.wider')}
        </MenuChoice>
        <MenuChoice isClosed={width === 1} onClick={() => resize(id, -1)}>
          {t('dashboards.narrower')}
        </MenuChoice>
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => remove(id)}>
          {t('dashboards.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Dragged by its handle, and a place to drop others. */
function useDragging(id: string, isFixed: boolean) {
  const root = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const [isOver, setOver] = useState(false);
  const [isDragged, setDragged] = useState(false);
  useEffect(() => {
    const [element, dragHandle] = [root.current, handle.current];
    if (element === null || dragHandle === null || isFixed) return;
    return combine(
      draggable({
        ...{ element, dragHandle },
        getInitialData: () => ({ tile: id }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => typeof source.data.tile === 'string' && source.data.tile !== id,
        getData: () => ({ tile: id }),
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: () => setOver(false),
      }),
    );
  }, [id, isFixed]);
  return { root, handle, isOver, isDragged };
}
