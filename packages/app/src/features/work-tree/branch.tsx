// The work items below one, each with those below it once it is opened.

import { ActionIcon, Menu, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { RecordPicker } from '../../editing/record-picker.tsx';
import { OptionTag } from '../../fields/option-tag.tsx';
import { useIsEmpty } from '../../lib/drained-pages.ts';
import { useT } from '../../lib/messages/index.ts';
import { useCanChange } from '../../lib/permissions.ts';
import { recordName } from '../../lib/record-name.ts';
import { useSession } from '../../lib/session.ts';
import { childrenQuery, PARENT_KEY } from '../../lib/work-tree.ts';
import { Icon } from '../../ui/icon.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { NewSubItem } from './new-sub-item.tsx';
import { useMove } from './use-move.ts';
import classes from './work-tree.module.css';

interface BranchProps {
  readonly id: string;
  readonly object: ObjectDefinition;
  /** Ids from the top down to this one. */
  readonly above: readonly string[];
}

export function Branch({ id, ...props }: BranchProps) {
  const t = useT();
  const query = useInfiniteQuery(childrenQuery(useSession(), id));
  const items = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = useIsEmpty(query, items.length);
  if (query.error !== null) return <Problem error={query.error} />;
  return (
    <>
      {isEmpty && (
        <Text c="dimmed" fz="xs" p="0.25rem 0.5rem">
          {t('tree.none')}
        </Text>
      )}
      <ul className={classes.list} aria-busy={query.isPending}>
        {items.map((item) => (
          <Item key={item.id} item={item} {...props} />
        ))}
      </ul>
      <MoreButton query={query}>{t('linked.more')}</MoreButton>
      <NewSubItem parent={id} object={props.object} />
    </>
  );
}

interface ItemProps extends Omit<BranchProps, 'id'> {
  readonly item: RecordData;
}

/** A tree has at most ten levels, of which each is indented. */
function Item({ item, object, above }: ItemProps) {
  const t = useT();
  const { workspace } = useSession();
  const [isOpen, setOpen] = useState(false);
  const { object_type: type, id, display, public_id, status } = item;
  const name = recordName({ display });
  const field = object.fields.find(({ key }) => key === 'status');
  return (
    <li>
      <div className={classes.row}>
        <ActionIcon
          size={20}
          aria-label={t('tree.open', { name })}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron' : 'right'} size={12} />
        </ActionIcon>
        <Text span c="dimmed" fz="xs">
          {public_id}
        </Text>
        <Link
          to="/$workspace/o/$type/$id"
          params={{ workspace, type, id }}
          className={classes.name}
          preload={false}
        >
          {name}
        </Link>
        {field !== undefined && status !== null && <OptionTag field={field} value={status} />}
        <Move item={item} object={object} above={above} name={name} />
      </div>
      {isOpen && (
        <div className={classes.branch}>
          <Branch id={id} object={object} above={[...above, id]} />
        </div>
      )}
    </li>
  );
}

interface MoveProps extends Pick<ItemProps, 'item' | 'object' | 'above'> {
  readonly name: string;
}

function Move({ item, object, above, name }: MoveProps) {
  const t = useT();
  const [isPicking, setPicking] = useState(false);
  const field = object.fields.find(({ key }) => key === PARENT_KEY);
  const canMove = useCanChange(object, item, 'update') && field?.editable === true;
  const { mutate, error } = useMove(item, field);
  if (!canMove) return null;
  return (
    <>
      {/* To where one chooses the focus goes by itself. */}
      <Menu returnFocus={!isPicking}>
        <Menu.Target>
          <ActionIcon size={24} aria-label={t('tree.more', { name })}>
            <Icon name="more" size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setPicking(true)}>{t('tree.move')}</Menu.Item>
          <Menu.Item onClick={() => mutate(null)}>{t('tree.leave')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isPicking && (
        <div className={classes.wide}>
          <RecordPicker
            type={item.object_type}
            label={t('tree.choose', { name })}
            without={[item.id, above.at(-1) ?? '']}
            onChoose={({ target }) => {
              setPicking(false);
              mutate(target);
            }}
            onClose={() => setPicking(false)}
          />
        </div>
      )}
      {error !== null && (
        <div className={classes.wide}>
          <Problem error={error} />
        </div>
      )}
    </>
  );
}
