// A move in a menu. A closed one stays in it with the reason: keys can reach it, and it has no effect.

import type { Tint } from '@workspace-records/client';
import { useLanguage, useT } from '../lib/messages/index.ts';
import { MenuChoice } from '../ui/menu-choice.tsx';
import { Tag } from '../ui/tag.tsx';
import classes from './move-item.module.css';
import { obstacleText } from './move-words.ts';
import type { Obstacle } from './status-moves.ts';

interface MoveItemProps {
  readonly name: string;
  /** The color of a status or an option. */
  readonly tint: Tint | undefined;
  readonly isStatus?: boolean;
  readonly obstacle: Obstacle | undefined;
  readonly isApproval?: boolean;
  /** The present status in words. */
  readonly from: string;
  readonly onMove: () => void;
  /** Called for a move that needs the approval of another person. */
  readonly onAsk?: () => void;
}

export function MoveItem(props: MoveItemProps) {
  const { name, tint, isStatus = true, obstacle, isApproval = false, from, onMove, onAsk } = props;
  const t = useT();
  const words = { t, language: useLanguage() };
  const ask = obstacle?.kind === 'approval' ? onAsk : undefined;
  const isClosed = obstacle !== undefined && ask === undefined;
  const note =
    obstacle !== undefined
      ? obstacleText(obstacle, { from, to: name }, words)
      : isApproval
        ? t('move.yours')
        : undefined;
  return (
    <MenuChoice isClosed={isClosed} onClick={ask ?? onMove}>
      {tint === undefined ? (
        name
      ) : (
        <Tag tint={tint} isStatus={isStatus}>
          {name}
        </Tag>
      )}
      {note !== undefined && <span className={classes.note}>{note}</span>}
      {ask !== undefined && <span className={classes.ask}>{t('approval.ask')}</span>}
    </MenuChoice>
  );
}
