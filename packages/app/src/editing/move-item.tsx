// A move in a menu. A closed one stays in it with the reason: keys can reach it, and it has no effect.

import { Menu } from '@mantine/core';
import { useLanguage, useT } from '../lib/messages/index.ts';
import type { Tint } from '../lib/tints.ts';
import { Tag } from '../ui/tag.tsx';
import classes from './move-item.module.css';
import { obstacleText } from './move-words.ts';
import type { Obstacle } from './status-moves.ts';

interface MoveItemProps {
  readonly name: string;
  /** Of a status or an option. */
  readonly tint: Tint | undefined;
  readonly isStatus?: boolean;
  readonly obstacle: Obstacle | undefined;
  readonly isApproval?: boolean;
  /** Where the record is, in words. */
  readonly from: string;
  readonly onMove: () => void;
}

export function MoveItem(props: MoveItemProps) {
  const { name, tint, isStatus = true, obstacle, isApproval = false, from, onMove } = props;
  const t = useT();
  const words = { t, language: useLanguage() };
  const isClosed = obstacle !== undefined;
  const note = isClosed
    ? obstacleText(obstacle, { from, to: name }, words)
    : isApproval
      ? t('move.yours')
      : undefined;
  return (
    <Menu.Item
      className={classes.item}
      aria-disabled={isClosed}
      closeMenuOnClick={!isClosed}
      {...(isClosed ? {} : { onClick: onMove })}
    >
      {tint === undefined ? (
        name
      ) : (
        <Tag tint={tint} isStatus={isStatus}>
          {name}
        </Tag>
      )}
      {note !== undefined && <span className={classes.note}>{note}</span>}
    </Menu.Item>
  );
}
