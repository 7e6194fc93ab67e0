// An option or a status in its tint. A tag does not shrink: in a line of several, those that do not fit become "+2".

import type { Tint } from '@workspace-records/client';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './tag.module.css';

interface TagProps {
  readonly tint: Tint;
  readonly isStatus?: boolean;
  readonly children: ReactNode;
}

export function Tag({ tint, isStatus, children }: TagProps) {
  return (
    <span className={classes.tag} data-tint={tint} data-status={isStatus || undefined}>
      <span className={classes.text}>{children}</span>
    </span>
  );
}

export function WrappedTags({ children }: { readonly children: ReactNode }) {
  return <span className={classes.wrapped}>{children}</span>;
}

interface TagLineProps {
  /** The text of all tags, for a pointer that rests on the line. */
  readonly title: string;
  readonly children: readonly ReactNode[];
}

/** Tags in one line; its `key` changes with the tags. */
export function TagLine({ title, children }: TagLineProps) {
  const lineRef = useRef<HTMLSpanElement>(null);
  const [hidden, setHidden] = useState(0);
  useLayoutEffect(() => {
    const line = lineRef.current;
    if (line === null) return;
    counts.set(line, setHidden);
    sizes ??= new ResizeObserver(count);
    sizes.observe(line);
    return () => sizes?.unobserve(line);
  }, []);
  return (
    <span className={classes.line} title={title}>
      <span ref={lineRef} className={classes.shown}>
        {children}
      </span>
      {hidden > 0 && <span className={classes.rest}>+{hidden}</span>}
    </span>
  );
}

const counts = new WeakMap<Element, (hidden: number) => void>();

/** The observer of all lines. */
let sizes: ResizeObserver | undefined;

/** Called after the layout, so that reading positions costs no other one. */
function count(entries: readonly ResizeObserverEntry[]): void {
  for (const { target } of entries) {
    const tags = [...target.children] as HTMLElement[];
    const first = tags[0]?.offsetTop ?? 0;
    counts.get(target)?.(tags.filter(({ offsetTop }) => offsetTop > first).length);
  }
}
