// The views of a list as tabs beside its title: the list itself, then saved views in the person's order, as far as
// there is room; all of them, with their actions, in the menu behind them. On a telephone the menu is all.

import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ObjectDefinition } from '@workspace-records/client';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useT } from '../../../lib/messages/index.ts';
import { useSession } from '../../../lib/session.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { ListView } from '../use-view.ts';
import { type OpenDialog, ViewMenu } from './view-menu.tsx';
import classes from './views.module.css';

interface ViewTabsProps {
  readonly object: ObjectDefinition;
  readonly list: ListView;
  readonly onDialog: (dialog: OpenDialog) => void;
}

export function ViewTabs({ object, list, onDialog }: ViewTabsProps) {
  const t = useT();
  const { me } = useSession();
  const row = useRef<HTMLUListElement>(null);
  useRoom(row);
  const { saved, views } = list;
  return (
    <Group wrap="nowrap" gap={0} miw={0} flex="1 1 0">
      <nav className={classes.tabs} aria-label={t('views.tabs')}>
        <ul ref={row} className={classes.row}>
          <Tab {...{ object, list }} name={t('views.plain')} isShown={saved === undefined} />
          {views.map(({ id, name }) => (
            <Tab key={id} {...{ object, list, id, name }} isShown={id === saved?.id} />
          ))}
        </ul>
      </nav>
      {me.viewing === undefined && <Making {...{ object, list, onDialog }} />}
    </Group>
  );
}

/** The actions on views, of people who see their own. */
function Making({ object, list, onDialog }: ViewTabsProps) {
  const t = useT();
  return (
    <>
      <ViewMenu {...{ object, list, onDialog }} />
      <Tooltip label={t('views.saveAs')}>
        <ActionIcon
          className={classes.add}
          aria-label={t('views.add')}
          onClick={() => onDialog('save')}
        >
          <Icon name="plus" size={14} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

interface TabProps extends Pick<ViewTabsProps, 'object' | 'list'> {
  /** Undefined: the list without a view. */
  readonly id?: string;
  readonly name: string;
  readonly isShown: boolean;
}

function Tab({ object, list, id, name, isShown }: TabProps) {
  const { workspace } = useSession();
  return (
    <li>
      <Link
        to="/$workspace/o/$type"
        params={{ workspace, type: object.object_type }}
        search={list.addressOf(id)}
        className={classes.tab}
        // The router marks equal addresses only: a changed view is the same tab.
        activeOptions={{ exact: true }}
        aria-current={isShown ? 'page' : undefined}
        data-shown={isShown || undefined}
        preload={false}
        title={name}
      >
        {name}
      </Link>
    </li>
  );
}

/** Tabs that do not fit wrap below the row, where they are neither seen nor reached; the shown one always fits. */
function useRoom(row: RefObject<HTMLUListElement | null>): void {
  useLayoutEffect(() => {
    if (row.current !== null) arrange(row.current);
  });
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => arrange(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [row]);
}

function arrange(row: HTMLElement): void {
  const tabs = [...row.children] as HTMLElement[];
  const isBelow = (tab: HTMLElement) => tab.offsetTop > row.offsetTop + tab.offsetHeight / 2;
  for (const tab of tabs) tab.style.order = '';
  const shown = tabs.find((tab) => tab.querySelector('[data-shown]') !== null);
  // After the list itself, which is first.
  if (shown !== undefined && isBelow(shown)) shown.style.order = '-1';
  for (const tab of tabs) tab.style.visibility = isBelow(tab) ? 'hidden' : '';
}
