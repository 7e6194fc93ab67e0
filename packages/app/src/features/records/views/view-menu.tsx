// All views of a list and their actions, behind the tabs; on a telephone in place of them.

import { Button, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ObjectDefinition } from '@workspace-records/client';
import { useT } from '../../../lib/messages/index.ts';
import { accessQuery } from '../../../lib/schema-queries.ts';
import { useSession } from '../../../lib/session.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { ListView } from '../use-view.ts';
import { useViewWrites } from './view-writes.ts';
import classes from './views.module.css';

export type OpenDialog = 'save' | 'rename' | 'delete' | 'order' | 'feed';

interface ViewMenuProps {
  readonly object: ObjectDefinition;
  readonly list: ListView;
  readonly onDialog: (dialog: OpenDialog) => void;
}

export function ViewMenu({ object, list, onDialog }: ViewMenuProps) {
  const t = useT();
  const { saved } = list;
  const all = t('views.all', { name: object.name ?? object.object_type });
  return (
    <Menu position="bottom-start" width="15rem">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes.target}
          rightSection={<Icon name="chevron" size={12} />}
          aria-label={t('views.label', { name: saved?.name ?? all })}
        >
          <span className={classes.present}>{saved?.name ?? all}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        <Menu.Item
          leftSection={<Check isChosen={saved === undefined} />}
          onClick={() => list.open(undefined)}
        >
          {all}
        </Menu.Item>
        <Views list={list} />
        <Menu.Divider />
        <Acts type={object.object_type} list={list} onOpen={onDialog} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Check({ isChosen }: { readonly isChosen: boolean }) {
  return <span className={classes.check}>{isChosen && <Icon name="check" size={14} />}</span>;
}

const SHARED = {
  private: 'views.private',
  team: 'views.team',
  workspace: 'views.workspace',
} as const;

function Views({ list: { saved, views, open } }: Pick<ViewMenuProps, 'list'>) {
  const t = useT();
  return (['private', 'team', 'workspace'] as const).map((shared) => {
    const some = views.filter((view) => view.shared === shared);
    if (some.length === 0) return null;
    return (
      <div key={shared}>
        <Menu.Label>{t(SHARED[shared])}</Menu.Label>
        {some.map(({ id, name, is_default }) => (
          <Menu.Item
            key={id}
            leftSection={<Check isChosen={id === saved?.id} />}
            rightSection={
              is_default ? (
                <Text span c="dimmed" fz="0.6875rem">
                  {t('views.first')}
                </Text>
              ) : undefined
            }
            onClick={() => open(id)}
          >
            {name}
          </Menu.Item>
        ))}
      </div>
    );
  });
}

interface ActsProps {
  readonly type: string;
  readonly list: ListView;
  readonly onOpen: (dialog: OpenDialog) => void;
}

/** People who see a view may copy it and choose what opens first for them; its owner or an administrator changes it. */
function Acts({ type, list: { view, saved, views }, onOpen }: ActsProps) {
  const t = useT();
  const { order, favor } = useViewWrites(type);
  const ids = views.map(({ id }) => id);
  const mayChange = saved?.can_change === true;
  const isCalendar = saved?.kind === 'calendar';
  const { data: access } = useQuery(accessQuery(useSession()));
  const mayHaveKeys = access?.developer.allowed === true;
  return (
    <>
      <Menu.Item onClick={() => onOpen('save')}>{t('views.saveAs')}</Menu.Item>
      {saved !== undefined && (
        <Menu.Item
          leftSection={<Icon name="star" size={14} />}
          onClick={() => favor.mutate({ id: saved.id, isFavorite: !saved.is_favorite })}
        >
          {saved.is_favorite ? t('views.unstar') : t('views.star')}
        </Menu.Item>
      )}
      {saved !== undefined && (
        <Menu.Item
          onClick={() => order.mutate({ ids, opensFirst: saved.is_default ? null : saved.id })}
        >
          {saved.is_default ? t('views.notFirst') : t('views.openFirst')}
        </Menu.Item>
      )}
      {views.length > 1 && (
        <Menu.Item onClick={() => onOpen('order')}>{t('views.order')}</Menu.Item>
      )}
      {view.layout === 'calendar' && mayHaveKeys && (
        <Menu.Item onClick={() => onOpen(isCalendar ? 'feed' : 'save')}>
          {t(isCalendar ? 'views.feed' : 'views.feedSaved')}
        </Menu.Item>
      )}
      {mayChange && <Menu.Item onClick={() => onOpen('rename')}>{t('views.rename')}</Menu.Item>}
      {mayChange && (
        <Menu.Item color="red" onClick={() => onOpen('delete')}>
          {t('views.delete')}
        </Menu.Item>
      )}
    </>
  );
}
