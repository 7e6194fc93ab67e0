// A page: its title in the tab and on the page, where the focus goes when somebody comes to it from another.

import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Above the title, such as where the page belongs. */
  readonly above?: ReactNode;
  /** Right after the title, such as another one to choose. */
  readonly beside?: ReactNode;
  /** The buttons at the other end of the line of the title. */
  readonly actions?: ReactNode;
  /** `wide`: to the edges, with a scrolling part of its own; `broad`: tables; `narrow`: forms. */
  readonly width?: 'wide' | 'broad' | 'settings' | 'narrow';
  readonly children: ReactNode;
}

/** The page that the browser loaded keeps the focus where browsers have it. */
let isFirst = true;

export function Page({ title, above, beside, actions, width = 'narrow', children }: PageProps) {
  const heading = useHeading(title);
  return (
    <div className={classes.page} data-width={width}>
      <header className={classes.header}>
        <div className={classes.titles}>
          {above !== undefined && <div className={classes.above}>{above}</div>}
          <h1 ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </h1>
          {beside}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      <div className={classes.content}>{children}</div>
    </div>
  );
}

/** The heading of a page whose content has not come; the page takes the focus when it has. */
export function PageTitle({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.page} data-width="settings" aria-busy="true">
      <header className={classes.header}>
        <h1 className={classes.title}>{children}</h1>
      </header>
    </div>
  );
}

/**
 * The heading of a page, which takes `tabIndex` -1: sets the title of the tab, and focuses the heading of a new page.
 */
export function useHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return heading;
}
