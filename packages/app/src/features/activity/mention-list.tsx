// The people who can be mentioned, above the field; a screen reader announces their number.

import { useT } from '../../lib/messages/index.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import classes from './activity.module.css';
import type { Mention } from './use-mention.ts';

interface MentionListProps {
  readonly id: string;
  readonly mention: Mention;
}

export function MentionList({ id, mention }: MentionListProps) {
  const t = useT();
  const { isOpen, candidates, marked, choose } = mention;
  return (
    <>
      <Hidden role="status">
        {isOpen ? t('comments.candidates', { count: candidates.length }) : ''}
      </Hidden>
      {isOpen && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={t('comments.people')}
          className={classes.candidates}
        >
          {candidates.map((candidate, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
            <div
              key={candidate.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === marked}
              className={classes.candidate}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(candidate)}
            >
              <Avatar name={candidate.name} size="small" />
              {candidate.name}
            </div>
          ))}
        </div>
      )}
    </>
  );
}
