// The changes of the data model that are collected: how many, the way to their plan, and dropping them, which can be
// undone.

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { changesOf } from '../lib/definition/changes.ts';
import { useDefinition } from '../lib/definition/draft.ts';
import { useT } from '../lib/messages/index.ts';
import { useSession } from '../lib/session.ts';
import classes from './draft-bar.module.css';
import { showToast } from './toast.ts';

export function DraftBar() {
  const t = useT();
  const { workspace } = useSession();
  const { edits, replace } = useDefinition();
  const count = changesOf(edits).length;
  if (count === 0) return null;
  const drop = () => {
    replace([]);
    showToast({ text: t('draft.dropped', { count }), undo: () => replace(edits) });
  };
  return (
    <div className={classes.room}>
      <div className={classes.place}>
        <section className={classes.bar} aria-label={t('draft.label')}>
          <span className={classes.count} role="status">
            {t('draft.count', { count })}
          </span>
          <Button variant="default" onClick={drop}>
            {t('draft.drop')}
          </Button>
          <Button
            renderRoot={(props) => (
              <Link to="/$workspace/settings/plans/review" params={{ workspace }} {...props} />
            )}
          >
            {t('draft.review')}
          </Button>
        </section>
      </div>
    </div>
  );
}
