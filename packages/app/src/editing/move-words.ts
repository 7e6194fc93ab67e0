// Why a move is closed, in words. Pure.

import type { Transition } from '@workspace-records/client';
import { type Language, localeOf, type Translate } from '../lib/messages/index.ts';
import type { Obstacle } from './status-moves.ts';

export interface MoveWords {
  readonly t: Translate;
  readonly language: Language;
}

interface Names {
  /** The names of the present status and of the refused one. */
  readonly from: string;
  readonly to: string;
}

export interface Moved {
  readonly count: number;
  /** The name of the status. */
  readonly name: string;
  /** The number that cannot be moved back. */
  readonly stuck: number;
}

export function movedText({ count, name, stuck }: Moved, t: Translate): string {
  const moved = t('grid.moved', { count, name });
  return stuck === 0 ? moved : `${moved} ${t('move.noWayBack', { count: stuck })}`;
}

export function obstacleText(obstacle: Obstacle, { from }: Names, words: MoveWords): string {
  const { t } = words;
  switch (obstacle.kind) {
    case 'here':
      return t('move.here');
    case 'foreign':
      return t('move.foreign');
    case 'unlisted':
      return t('move.unlisted', { from });
    case 'approval':
      return approvalText(obstacle.approvers, words);
  }
}

/** The approvers, as far as the person may know them. */
function approvalText(approvers: Transition['approvers'], { t, language }: MoveWords): string {
  if (approvers === undefined) return t('move.approval');
  const people = approvers.users.map(({ id, name }) => name ?? `#${id}`);
  const teams = approvers.teams.map(({ id, name }) => t('move.team', { name: name ?? `#${id}` }));
  const all = [...people, ...teams];
  if (all.length === 0) return t('move.approvalHidden');
  const list = new Intl.ListFormat(localeOf(language), { type: 'disjunction' });
  return t('move.approvalBy', { names: list.format(all) });
}
