// The owner of a record as initials, with the name for the pointer and for screen readers.

import { useT } from '../lib/messages/index.ts';
import { usePersonName } from '../lib/person-names.ts';
import { Avatar } from './avatar.tsx';
import { Hidden } from './hidden.tsx';

interface OwnerMarkProps {
  readonly id: number;
  readonly size?: 'small' | 'normal';
}

export function OwnerMark({ id, size = 'normal' }: OwnerMarkProps) {
  const t = useT();
  const name = usePersonName(id);
  return (
    <span title={name}>
      <Avatar name={name} size={size} />
      <Hidden>{t('board.owner', { name })}</Hidden>
    </span>
  );
}
