// How far something is: a bar, which moves to and fro while the end is not known.

import classes from './progress-bar.module.css';

interface ProgressBarProps {
  readonly label: string;
  /** The progress from 0 to 1; undefined: not known. */
  readonly share: number | undefined;
}

export function ProgressBar({ label, share }: ProgressBarProps) {
  return <progress className={classes.bar} aria-label={label} max={1} value={share} />;
}
