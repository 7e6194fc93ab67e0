// A line above everything while another page is on its way, so that a click is answered at once.

import { useRouterState } from '@tanstack/react-router';
import classes from './loading-line.module.css';

export function LoadingLine() {
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  return <div className={classes.line} data-loading={isLoading || undefined} aria-hidden />;
}
