import type { Parsed } from './field-edit.ts';
import type { FieldKind, ShowProps } from './field-kind.ts';
import classes from './fields.module.css';
import { INCOMPARABLE, typedDraft } from './plain.tsx';

function parse(typed: string): Parsed {
  try {
    return { value: JSON.parse(typed) };
  } catch {
    return { problem: 'edit.notJson' };
  }
}

function Show({ value }: ShowProps) {
  return <code className={classes.code}>{JSON.stringify(value)}</code>;
}

export const json: FieldKind = {
  ...INCOMPARABLE,
  name: 'type.json',
  example: 'type.jsonExample',
  icon: 'M6 2.500c-2 0-2 .8-2 2.500S3.500 8 2.500 8C3.500 8 4 9.300 4 11s0 2.500 2 2.500m4-11c2 0 2 .8 2 2.500s.5 3 1.500 3c-1 0-1.500 1.300-1.500 3s0 2.500-2 2.500',
  Show,
  width: 200,
  text: { print: (value) => JSON.stringify(value), parse },
  edit: {
    ...{ control: 'lines', isMultiline: true, ...typedDraft(parse) },
    start: (value) => (value === null ? '' : JSON.stringify(value, null, 2)),
  },
};
