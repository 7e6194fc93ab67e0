// The icon of a field type.

import type { FieldType } from '../../lib/definition/document.ts';

const PATHS: Readonly<Record<FieldType, string>> = {
  text: 'M3 4.5v-1h10v1M8 3.500v9M6.200 12.500h3.600',
  long_text: 'M2.500 4h11m-11 2.700h11m-11 2.600h11m-11 2.700h6',
  number: 'M6.300 2.500 4.800 13.500M11.200 2.500 9.700 13.500M2.800 6h11M2.200 10h11',
  integer:
    'M3 5.500 5 4v8M8.200 5.400c.3-.9 1.100-1.400 2-1.400 1.200 0 2 .7 2 1.900 0 1.600-4 3.600-4 6.100h4.300',
  currency:
    'M11.500 4.800C10.900 3.900 9.700 3.300 8 3.300c-1.900 0-3.300 1-3.300 2.400 0 3.300 7 1.500 7 4.700 0 1.500-1.500 2.500-3.700 2.500-1.800 0-3.200-.7-3.800-1.800M8 1.800v12.400',
  percent:
    'M12.500 3.500l-9 9M5 6.700a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400zm6 6a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400z',
  boolean: 'M3 3h10v10H3zm2.300 5.200 2 2 3.500-4',
  date: 'M2.500 3.500h11v10h-11zm0 3.200h11M5.500 2v3m5-3v3',
  datetime: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zm0-9.300V8l2.300 1.700',
  select:
    'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11zM5.800 7.200 8 9.400l2.200-2.200',
  multi_select:
    'M3.500 4.500h.01M6.500 4.500h7M3.500 8h.01M6.500 8h7M3.500 11.500h.01M6.500 11.500h7',
  email: 'M2 3.500h12v9H2zm0 .5 6 5 6-5',
  phone:
    'M4 2.500h2l1.200 3-1.600 1.100a7.500 7.500 0 0 0 3.800 3.800l1.100-1.600 3 1.200v2c0 .8-.7 1.500-1.500 1.500A9.500 9.500 0 0 1 2.500 4c0-.8.7-1.500 1.500-1.500z',
  url: 'M6.700 9.300l2.600-2.600M7.300 4.700l1-1a2.800 2.800 0 0 1 4 4l-1 1M8.700 11.300l-1 1a2.800 2.800 0 0 1-4-4l1-1',
  reference: 'M2.500 8h9m-3-3.500L12 8l-3.500 3.500M14 3v10',
  user: 'M8 8a2.800 2.800 0 1 0 0-5.500A2.800 2.800 0 0 0 8 8zm-5.500 5.500c.4-2.500 2.500-3.700 5.500-3.700s5.100 1.200 5.500 3.700',
  json: 'M6 2.500c-2 0-2 .8-2 2.500S3.500 8 2.500 8C3.500 8 4 9.300 4 11s0 2.500 2 2.500m4-11c2 0 2 .8 2 2.500s.5 3 1.500 3c-1 0-1.500 1.300-1.500 3s0 2.500-2 2.500',
};

interface FieldIconProps {
  readonly type: FieldType;
  readonly size?: number;
}

export function FieldIcon({ type, size = 16 }: FieldIconProps) {
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
      <path d={PATHS[type]} />
    </svg>
  );
}
