// A bar, a part of one, a point: a link to the records that it counts, with its figure on hover and focus. One of a
// chart is in the order of the Tab key, arrows lead to the others.

import {
  type CSSProperties,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useState,
} from 'react';
import { RecordsLink } from '../records-link.tsx';
import type { LoadedReport } from '../use-report.ts';
import classes from './charts.module.css';

interface Roving {
  readonly active: string | undefined;
  activate(id: string): void;
}

const RovingContext = createContext<Roving>({ active: undefined, activate: () => undefined });

interface MarksProps {
  readonly className?: string | undefined;
  /** The id of the mark that has the Tab key at first. */
  readonly first: string | undefined;
  readonly style?: CSSProperties;
  readonly children: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

/** The place of the marks of a chart. */
export function Marks({ className, first, style, children }: MarksProps) {
  const [active, activate] = useState<string>();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const marks = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-mark]')];
    const at = marks.indexOf(event.target as HTMLElement);
    if (at < 0) return;
    event.preventDefault();
    marks[Math.max(0, Math.min(marks.length - 1, at + step))]?.focus();
  };
  return (
    <RovingContext value={{ active: active ?? first, activate }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens to the links in it. */}
      <div className={className} style={style} onKeyDown={onKeyDown}>
        {children}
      </div>
    </RovingContext>
  );
}

interface MarkProps {
  readonly id: string;
  readonly report: LoadedReport;
  readonly search: ReturnType<LoadedReport['searchOf']>;
  /** The whole of it: what is counted, and the figure. */
  readonly label: string;
  readonly className?: string | undefined;
  readonly style?: CSSProperties;
  /** The content shown on hover instead of the figure. */
  readonly children?: ReactNode;
}

export function Mark({ id, report, search, label, className, style, children }: MarkProps) {
  const { active, activate } = useContext(RovingContext);
  return (
    <RecordsLink
      type={report.state.object}
      search={search}
      data-mark
      tabIndex={id === active ? 0 : -1}
      aria-label={label}
      className={`${classes.mark} ${className ?? ''}`}
      style={style}
      onFocus={() => activate(id)}
    >
      {children ?? (
        <span className={classes.tip} aria-hidden="true">
          {label}
        </span>
      )}
    </RecordsLink>
  );
}
