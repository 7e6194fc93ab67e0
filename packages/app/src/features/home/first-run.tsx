// For administrators of a workspace without records: ways to begin.

import { useQuery } from '@tanstack/react-query';
import type { ObjectSummary } from '@workspace-records/client';
import { type ReactNode, useState } from 'react';
import { makeFromFile } from '../../actions/object-file-state.ts';
import { chooseObjects } from '../../actions/shown-objects-state.ts';
import { later } from '../../lib/later.tsx';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { firstFilledQuery } from '../../lib/open-work.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import classes from './home-page.module.css';

const StartDialog = later(async () => ({
  default: (await import('./start-dialog.tsx')).StartDialog,
}));
const StartEmpty = later(async () => ({
  default: (await import('./start-empty.tsx')).StartEmpty,
}));

interface FirstRunProps {
  readonly objects: readonly ObjectSummary[];
  /** The content for everybody else. */
  readonly children: ReactNode;
}

export function FirstRun({ objects, children }: FirstRunProps) {
  const session = useSession();
  const access = useQuery(accessQuery(session));
  const isAdministrator = access.data?.administrator.allowed === true;
  const types = objects.map(({ object_type }) => object_type);
  const filled = useQuery({ ...firstFilledQuery(session, types), enabled: isAdministrator });
  if (access.isPending || (isAdministrator && filled.isPending)) return null;
  return filled.data === null ? <Ways /> : children;
}

type Way = 'crm' | 'work' | 'file' | 'empty';

const WAYS: readonly { way: Way; icon: IconName; label: PlainKey; text: PlainKey }[] = [
  { way: 'crm', icon: 'deal', label: 'start.crm', text: 'start.crmText' },
  { way: 'work', icon: 'task', label: 'start.work', text: 'start.workText' },
  { way: 'file', icon: 'table', label: 'start.file', text: 'start.fileText' },
  { way: 'empty', icon: 'box', label: 'start.empty', text: 'start.emptyText' },
];

function Ways() {
  const t = useT();
  const [open, setOpen] = useState<Way>();
  const close = () => setOpen(undefined);
  return (
    <section className={classes.begin} aria-label={t('home.empty')}>
      <h2>{t('home.empty')}</h2>
      <p>{t('home.emptyText')}</p>
      <ul className={classes.ways}>
        {WAYS.map(({ way, icon, label, text }) => (
          <li key={way}>
            <button type="button" onClick={() => (way === 'file' ? makeFromFile() : setOpen(way))}>
              <Icon name={icon} />
              <strong>{t(label)}</strong>
              <span>{t(text)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className={classes.unused}>
        {t('start.unused')}{' '}
        <button type="button" onClick={chooseObjects}>
          {t('nav.objects')}
        </button>
      </p>
      {open === 'empty' && <StartEmpty onClose={close} />}
      {(open === 'crm' || open === 'work') && <StartDialog kind={open} onClose={close} />}
    </section>
  );
}
