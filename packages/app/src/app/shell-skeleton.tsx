// The frame before the signed-in person is known: placeholders for its parts.

import { Skeleton, Stack } from '@mantine/core';
import classes from './shell.module.css';

const LINES = [60, 75, 55, 80, 65];

export function ShellSkeleton() {
  return (
    <div className={classes.shell} aria-busy="true">
      <div className={classes.sidebar}>
        <Stack gap={18} p="1.5rem 1rem">
          {LINES.map((width) => (
            <Skeleton key={width} height={12} width={`${width}%`} />
          ))}
        </Stack>
      </div>
    </div>
  );
}
