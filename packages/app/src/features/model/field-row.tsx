// A field in the list of its object: its type, what holds for it, and its menu.

import {
  draggable,
  dropTargetForElements,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { type KeyboardEvent, memo, type RefObject, useEffect, useRef, useState } from 'react';
import { entryKind } from '../../fields/entry-kind.ts';
import { type FieldEntry, withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuChoice } from '../../ui/menu-choice.tsx';
import { type EntryState, StateMark } from './entry-state.tsx';
import { FieldFacts } from './field-facts.tsx';
import { FieldIcon } from './field-icon.tsx';
import classes from './model.module.css';

export interface FieldActions {
  open(key: string): void;
  /** `before` undefined: to the end. */
  move(key: string, before: string | undefined): void;
  revert(key: string): void;
  remove(key: string): void;
}

interface FieldRowProps {
  readonly fieldKey: string;
  readonly field: FieldEntry;
  readonly state: EntryState;
  readonly role: 'display' | 'subtitle' | undefined;
  /** The neighbours in its section. */
  readonly above: string | undefined;
  readonly below: string | undefined;
  /** The neighbour behind the one below, in the order of the object. */
  readonly after: string | undefined;
  /** The name of the object that it refers to. */
  readonly target: string | undefined;
  readonly actions: FieldActions;
}

export const FieldRow = memo(function FieldRow(props: FieldRowProps) {
  const { fieldKey, field, state, role, above, below, after, target, actions } = props;
  const t = useT();
  const row = useRef<HTMLLIElement>(null);
  const isOver = useDragging(row, fieldKey, actions);
  const name = field.name ?? fieldKey;
  const up = above === undefined ? undefined : () => actions.move(fieldKey, above);
  const down = below === undefined ? undefined : () => actions.move(fieldKey, after);
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.key === 'ArrowUp' ? up : event.key === 'ArrowDown' ? down : undefined;
    if (!event.altKey || act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <li ref={row} className={classes.field} data-state={state} data-over={isOver || undefined}>
      <span className={classes.grip} aria-hidden="true">
        <Icon name="grip" />
      </span>
      <span className={classes.type}>
        <FieldIcon type={field.type} />
      </span>
      <button
        type="button"
        className={classes.fieldName}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onClick={() => actions.open(fieldKey)}
        onKeyDown={onKeyDown}
      >
        {name}
      </button>
      <span className={classes.typeName}>{t(entryKind(field).name)}</span>
      <FieldFacts field={field} role={role} target={target} />
      <StateMark state={state} />
      <FieldMenu {...props} name={name} up={up} down={down} />
    </li>
  );
});

interface FieldMenuProps extends FieldRowProps {
  readonly name: string;
  readonly up: (() => void) | undefined;
  readonly down: (() => void) | undefined;
}

/** A menu of Mantine costs as much as its row, so it is made when it is opened. */
function FieldMenu(props: FieldMenuProps) {
  const t = useT();
  const [isMade, setMade] = useState(false);
  const label = t('fields.menu', { name: props.name });
  if (isMade) return <MadeMenu {...props} />;
  return (
    <ActionIcon
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setMade(true)}
    >
      <Icon name="more" />
    </ActionIcon>
  );
}

function MadeMenu({ fieldKey, state, name, up, down, actions }: FieldMenuProps) {
  const t = useT();
  return (
    <Menu defaultOpened>
      <Menu.Target>
        <ActionIcon autoFocus aria-label={t('fields.menu', { name })}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => actions.open(fieldKey)}>{t('fields.edit')}</Menu.Item>
        <MenuChoice isClosed={up === undefined} onClick={up}>
          {t('fields.up')}
        </MenuChoice>
        <MenuChoice isClosed={down === undefined} onClick={down}>
          {t('fields.down')}
        </MenuChoice>
        {state === 'changed' && (
          <Menu.Item onClick={() => actions.revert(fieldKey)}>{t('fields.revert')}</Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => actions.remove(fieldKey)}>
          {t('fields.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Dropped on a row, a field goes before it. */
function useDragging(
  row: RefObject<HTMLLIElement | null>,
  key: string,
  actions: FieldActions,
): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const stopDragging = draggable({ element, getInitialData: () => ({ field: key }) });
    const stopDropping = dropTargetForElements({
      element,
      canDrop: ({ source }) => typeof source.data.field === 'string' && source.data.field !== key,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop({ source }) {
        setOver(false);
        actions.move(String(source.data.field), key);
      },
    });
    return () => {
      stopDragging();
      stopDropping();
    };
  }, [row, key, actions]);
  return isOver;
}

interface RemovedFieldProps {
  readonly type: string;
  readonly fieldKey: string;
  readonly field: FieldEntry;
}

export function RemovedField({ type, fieldKey, field }: RemovedFieldProps) {
  const t = useT();
  const { edits, replace, change } = useDefinition();
  const name = field.name ?? fieldKey;
  const restore = () => {
    const others = edits.filter(({ path }) => !isOfField(path, type, fieldKey));
    if (others.length < edits.length) replace(others);
    // The object is an edit as a whole, because it has another key.
    else change((now) => withValue(now, ['objects', type, 'fields', fieldKey], field));
  };
  return (
    <li className={classes.field} data-state="removed">
      <span className={classes.grip} />
      <span className={classes.type}>
        <FieldIcon type={field.type} />
      </span>
      <s className={classes.fieldName}>{name}</s>
      <span className={classes.typeName}>{t(entryKind(field).name)}</span>
      <StateMark state="removed" />
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={t('model.restoreNamed', { name })}
        onClick={restore}
      >
        {t('model.restore')}
      </Button>
    </li>
  );
}

/** The field itself, and what was taken away from it with it. */
function isOfField(path: readonly string[], type: string, key: string): boolean {
  const [section, first, part, last] = path;
  if (section === 'objects') {
    const isWord = part === 'display_field' || part === 'subtitle_field';
    return first === type && (isWord || (part === 'fields' && last === key));
  }
  return section === 'roles' && path.includes(type) && path.at(-1) === key;
}
