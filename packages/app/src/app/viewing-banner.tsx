// Above all pages while an administrator views as somebody: as whom, until when, and the way out.

import { Button } from '@mantine/core';
import { stopViewing } from '../actions/viewing.ts';
import { useFormats } from '../lib/format.ts';
import { useT } from '../lib/messages/index.ts';
import { useSession } from '../lib/session.ts';
import classes from './viewing-banner.module.css';

export function ViewingBanner() {
  const t = useT();
  const session = useSession();
  const { moment } = useFormats();
  const { user, viewing } = session.me;
  if (viewing === undefined) return null;
  const name = user.name ?? user.email ?? `#${user.id}`;
  return (
    <section className={classes.banner} aria-label={t('viewing.label')}>
      <span>
        <strong>{t('viewing.as', { name })}</strong>{' '}
        {t('viewing.text', { moment: moment(viewing.ends_at) })}
      </span>
      <Button variant="default" onClick={() => void stopViewing(session)}>
        {t('viewing.stop', { name })}
      </Button>
    </section>
  );
}
