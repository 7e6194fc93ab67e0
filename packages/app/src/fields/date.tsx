import { useFormats } from '../lib/format.ts';
import { localeOf } from '../lib/messages/index.ts';
import { parseDay } from './date-text.ts';
import type { ShowProps } from './field-kind.ts';
import classes from './fields.module.css';
import { ofTime } from './moments.tsx';
import { PLAIN_DRAFT } from './plain.tsx';

function Show({ value }: ShowProps) {
  const { day } = useFormats();
  return <span className={classes.line}>{day(String(value))}</span>;
}

export const date = ofTime({
  name: 'type.date',
  example: 'type.dateExample',
  icon: 'M2.500 3.500h11v10h-11zm0 3.200h11M5.500 2v3m5-3v3',
  Show,
  width: 120,
  firstOn: { card: 2, head: 2, linked: 1 },
  text: {
    // `2027-01-31`, which spreadsheets of every language take for a day.
    print: String,
    parse(typed, { language }) {
      const value = parseDay(typed, localeOf(language));
      return value === undefined ? { problem: 'grid.notDate' } : { value };
    },
  },
  misfit: 'misfit.date',
  edit: { control: 'line', input: { type: 'date' }, ...PLAIN_DRAFT },
});
