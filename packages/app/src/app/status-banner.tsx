// Shows why no answer arrives: no network, or a service that requests a wait, with the seconds counted down.

import { useEffect, useState } from 'react';
import { useT } from '../lib/messages/index.ts';
import { useOnline, useWaiting } from '../lib/service-status.ts';
import { Icon } from '../ui/icon.tsx';
import classes from './status-banner.module.css';

export function StatusBanner() {
  const t = useT();
  const isOnline = useOnline();
  const waiting = useWaiting();
  const seconds = useSecondsUntil(waiting?.until);
  const text = (() => {
    if (!isOnline) return t('status.offline');
    if (waiting === undefined) return undefined;
    return waiting.reason === 'busy'
      ? t('status.busy', { seconds })
      : t('status.unreachable', { seconds });
  })();
  return (
    <div role="status" aria-live="polite">
      {text !== undefined && (
        <div className={classes.banner}>
          <Icon name="warning" />
          <span>{text}</span>
        </div>
      )}
    </div>
  );
}

function useSecondsUntil(until: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [until]);
  return Math.max(1, Math.ceil(((until ?? now) - now) / 1000));
}
