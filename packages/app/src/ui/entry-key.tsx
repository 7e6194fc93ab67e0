// The key of an entry, and a button to change it.

import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Path } from '../lib/definition/document.ts';
import { later } from '../lib/later.tsx';
import { useT } from '../lib/messages/index.ts';
import classes from './key-dialog.module.css';

const KeyDialog = later(() => import('./key-dialog.tsx'));

/** `path`: of the entry. */
export function EntryKey({ path }: { readonly path: Path }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.key}>
      <span>{t('model.key')}</span>
      <code>{path.at(-1)}</code>
      <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
        {t('rename.change')}
      </Button>
      {isOpen && <KeyDialog path={path} onClose={() => setOpen(false)} />}
    </div>
  );
}
