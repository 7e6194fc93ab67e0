// Icons: lines of 1.5 on a field of 16, drawn in the colour of the text. The text next to them, or the name of their
// button, has the same meaning.

import type { ObjectIcon } from '@workspace-records/client';
import type { ReactNode } from 'react';
import classes from './icon.module.css';

const PATHS = {
  home: 'M2.5 7.2 8 2.5l5.5 4.7v6.3h-4V10h-3v3.5h-4z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zm3.3-1.2 3.2 3.2',
  bell: 'M4 7a4 4 0 0 1 8 0c0 3 1.5 4 1.5 4h-11S4 10 4 7zm2.7 6.2a1.5 1.5 0 0 0 2.6 0',
  settings:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm0-8.5v2m0 9v2M3.4 3.4l1.4 1.4m6.4 6.4 1.4 1.4M1.5 8h2m9 0h2M3.4 12.6l1.4-1.4m6.4-6.4 1.4-1.4',
  building: 'M3 13.5v-11h6v11m0-7h4v7M1.5 13.5h13M5 5h2M5 7.5h2M5 10h2',
  person:
    'M8 8a2.8 2.8 0 1 0 0-5.5A2.8 2.8 0 0 0 8 8zm-5.5 5.5c.4-2.5 2.5-3.7 5.5-3.7s5.1 1.2 5.5 3.7',
  deal: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM9.8 5.8C9.4 5.200 8.800 5 8 5 6.900 5 6.200 5.600 6.200 6.400c0 2 3.700 1.100 3.700 3.200 0 .9-.8 1.400-1.900 1.400-.9 0-1.500-.3-1.900-.9M8 4v1m0 6v1',
  calendar: 'M2.500 3.500h11v10h-11zm0 3.200h11M5.500 2v3m5-3v3',
  event: 'M8 2.200l1.700 3.700 4 .4-3 2.700.9 4L8 11l-3.600 2 .9-4-3-2.700 4-.4z',
  product:
    'M8 1.800 13.500 4.800v6.400L8 14.200l-5.500-3V4.800zM2.700 4.900 8 7.800l5.300-2.900M8 7.800v6.200',
  task: 'M2.500 2.500h11v11h-11zM5 8l2.200 2.200L11.200 6',
  box: 'M2.500 2.500h11v11h-11zM2.500 6h11',
  menu: 'M2.500 4.500h11m-11 3.500h11m-11 3.500h11',
  panel: 'M2 3h12v10H2zm4 0v10',
  key: 'M6 12a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm2.200-5.200L13.500 1.500M11 4l1.800 1.800',
  devices: 'M1.500 3h10v7h-10zm2.500 10h5m2-5.500h3.500v5.500H11z',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm0-9.500v1.200m0 10.600v1.200M1.500 8h1.200m10.600 0h1.200M3.400 3.400l.9.9m7.400 7.400.9.900M3.400 12.600l.9-.9m7.400-7.400.9-.9',
  globe:
    'M8 14.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM1.500 8h13M8 1.500c2 1.800 2.700 4 2.700 6.500S10 12.700 8 14.500C6 12.700 5.300 10.500 5.300 8S6 3.300 8 1.500z',
  exit: 'M6 2.500H2.500v11H6m4-2.500L13.500 8 10 5m3.500 3h-8',
  up: 'M8 12.500v-9M4.500 7 8 3.500 11.500 7',
  down: 'M8 3.500v9M4.500 9 8 12.500 11.500 9',
  help: 'M8 14.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM6.200 6.300a1.800 1.800 0 1 1 2.700 1.500c-.6.4-.9.8-.9 1.500m0 2.200v.2',
  chevron: 'M4.500 6.200 8 9.800l3.500-3.600',
  right: 'm6.200 4.500 3.600 3.500-3.600 3.500',
  left: 'm9.800 4.500-3.600 3.500 3.600 3.500',
  pencil: 'M10.500 3 13 5.500 5.500 13H3v-2.500z',
  expand: 'M9.500 2.500h4v4m0-4-4.500 4.500M6.500 13.500h-4v-4m0 4 4.500-4.500',
  peek: 'M2 3h12v10H2zm7 0v10',
  clock: 'M8 14.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM8 4.500V8l2.500 1.500',
  comment: 'M2.500 3h11v8H7l-3 2.500V11H2.500z',
  copy: 'M5.500 5.500v-3h8v8h-3m-8-5h8v8h-8z',
  check: 'm3 8.500 3.500 3.500L13 4.500',
  warning: 'M8 2 14.500 13.500h-13zm0 4.500v3.500m0 1.500v.5',
  table: 'M2 3h12v10H2zm0 3.300h12M2 9.700h12M6 6.300v6.700',
  board: 'M2 3h3.300v10H2zm4.700 0H10v6.500H6.700zm4.600 0H14v8.500h-2.700z',
  sort: 'M5 3v10M2.500 10.500 5 13l2.500-2.500M11 13V3M8.500 5.500 11 3l2.500 2.500',
  group: 'M2.500 3h11v4h-11zm0 6.500h11v3.500h-11zM5 5h3M5 11.300h3',
  filter: 'M2.500 4h11m-9 4h7m-5 4h3',
  refresh: 'M13.500 3v3.500H10m3.300-.2A5.500 5.500 0 1 0 13.500 9',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  plus: 'M8 3v10M3 8h10',
  lock: 'M4 7.500h8v6H4zm1.500 0V5a2.500 2.500 0 0 1 5 0v2.500',
  trash: 'M3 4.500h10M6.200 4.500v-2h3.600v2M4.300 4.500l.6 9h6.200l.6-9',
  columns: 'M2.5 3h11v10h-11zm3.700 0v10m3.600-10v10',
  grip: 'M6 4h.01M6 8h.01M6 12h.01M10 4h.01M10 8h.01M10 12h.01',
  bars: 'M2.500 13.500h11M4 13.500V8m4 5.500V3m4 10.500V6',
  line: 'm2 11.500 4-4.500 3 2.500L14 3.500M2 14h12',
  hash: 'M6.200 2.500l-1.400 11m6.400-11-1.400 11M2.800 6h11m-11.600 4h11',
  dashboard: 'M2.500 2.500h5v6h-5zm0 8.500h5v2.500h-5zm7-8.500h4v2.500h-4zm0 5h4v6h-4z',
  webhook: 'M2.500 8h8m-3-3.500L11 8l-3.500 3.500M13.500 2.500v11',
  upload: 'M8 10.500v-8M4.500 6 8 2.500 11.500 6M2.500 10.500v3h11v-3',
  download: 'M8 2.500v8M4.500 7 8 10.500 11.500 7M2.500 10.500v3h11v-3',
  merge: 'M3.500 2.500v3l4.500 4 4.500-4v-3M8 9.500v4.500m-2-2 2 2 2-2',
  close: 'm4 4 8 8m0-8-8 8',
  rows: 'M5.500 3.500h8m-8 4.500h8m-8 4.500h8M2.500 3.500v9m-1-1 1 1.200 1-1.200m-2-7 1-1.200 1 1.200',
  star: 'M8 2.200l1.700 3.600 4 .5-2.900 2.700.7 3.900L8 11l-3.500 1.900.7-3.900L2.300 6.300l4-.5z',
  people:
    'M6 8a2.3 2.3 0 1 0 0-4.6A2.3 2.3 0 0 0 6 8zm-4.5 5c.3-2 2-3.1 4.5-3.1s4.2 1.1 4.5 3.1M10.5 3.6a2.3 2.3 0 0 1 0 4.3m1.6 2.2c1.4.4 2.2 1.4 2.4 2.9',
  document: 'M4 1.5h5.5L12.5 4.5v10H4zM9.5 1.5v3h3M6 8h4.5M6 11h4.5',
  folder: 'M1.5 3.5H6l1.5 2h7v8h-13z',
  book: 'M8 3.5C6.5 2.5 4.5 2.3 2 2.5v10c2.5-.2 4.5 0 6 1 1.5-1 3.5-1.2 6-1v-10c-2.5-.2-4.5 0-6 1zm0 0v10',
  tag: 'M2 2h6l6 6-6 6-6-6zM5.2 5.2h.01',
  cart: 'M1.5 2.5h2L5 10h7l1.5-5.5H4M6 13h.01M11.5 13h.01',
  card: 'M1.5 3.5h13v9h-13zm0 3h13M4 10h3',
  truck:
    'M1.5 3.5h8v7h-8zm8 2.5h3l2 2.5v2h-5M4.5 13.3a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.6zm7 0a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.6z',
  ship: 'M2 9.5h12l-2 4H4zm2 0v-4h8v4m-4-4v-3',
  plane: 'M14 2 1.5 7l5 2.5L9 14.5zM6.5 9.5 14 2',
  tool: 'M10 2.2a3.5 3.5 0 0 0-4.6 4.6L2 10.2 5.8 14l3.4-3.4a3.5 3.5 0 0 0 4.6-4.6l-2.3 2.2L8 4.7z',
  phone: 'M4.5 1.5h7v13h-7zm3 10.5h1',
  mail: 'M1.5 3.5h13v9h-13zm0 .5L8 9l6.5-5',
  pin: 'M8 14.5c3-3.5 4.5-5.8 4.5-8a4.5 4.5 0 0 0-9 0c0 2.2 1.5 4.5 4.5 8zm0-6.3a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
  flag: 'M3.5 14.5v-12H12l-2 3 2 3H3.5',
  bolt: 'M9 1.5 3 9h4.5L7 14.5 13 7H8.5z',
  heart: 'M8 13.5C4 10.5 2 8.5 2 5.8a3 3 0 0 1 6-1.3 3 3 0 0 1 6 1.3c0 2.7-2 4.7-6 7.7z',
  leaf: 'M3 13C3 6 7 2.5 13.5 2.5 13.5 9 10 13 3 13zm0 0 5-5',
  image: 'M1.5 2.5h13v11h-13zM1.5 11l4-4L9 10.5l2-2 3.5 3.5M11 5.8h.01',
  laptop: 'M3 3h10v7.5H3zM1 13h14',
  ticket: 'M1.5 4h13v2.5a1.5 1.5 0 0 0 0 3V12h-13V9.5a1.5 1.5 0 0 0 0-3zm8 0v8',
  shield: 'M8 1.5 13.5 3.5V8c0 3-2 5.3-5.5 6.5C4.5 13.3 2.5 11 2.5 8V3.5z',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon, or a letter in a frame where a thing has none; each icon of objects has a drawing here. */
export type Glyph = IconName | ObjectIcon | { readonly letter: string };

export function Icon({ name, size }: { readonly name: Glyph; readonly size?: number }) {
  if (typeof name === 'object') return <Letter letter={name.letter} size={size} />;
  return <Strokes path={PATHS[name]} size={size} />;
}

interface StrokesProps {
  /** The path on a square of 16. */
  readonly path: string;
  /** Pixels. */
  readonly size?: number | undefined;
}

/** An icon of its own, drawn as all others are. */
export function Strokes({ path, size }: StrokesProps) {
  return (
    <Frame size={size}>
      <path d={path} />
    </Frame>
  );
}

/** A letter as an icon. It is drawn by CSS: text would become part of the accessible name. */
function Letter({ letter, size }: { readonly letter: string; readonly size: number | undefined }) {
  return (
    <Frame size={size}>
      <rect x={1.5} y={1.5} width={13} height={13} rx={3.5} />
      <foreignObject width={16} height={16}>
        <span className={classes.letter} data-letter={letter} />
      </foreignObject>
    </Frame>
  );
}

interface FrameProps {
  readonly size: number | undefined;
  readonly children: ReactNode;
}

function Frame({ size = 16, children }: FrameProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}
