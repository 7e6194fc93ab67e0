// Parts that types of fields share.

import { useFormats } from '../lib/format.ts';
import { type Language, localeOf } from '../lib/messages/index.ts';
import type { FieldDraft, Parsed } from './field-edit.ts';
import type { WordProps } from './field-filter.ts';
import type { FieldKind, NumberWords, ShowProps } from './field-kind.ts';
import classes from './fields.module.css';
import { printNumber, withOtherMarks } from './number-text.ts';
import { NUMBER_PHRASES, PRESENCE, TEXT_PHRASES } from './phrases.ts';

type Given = Pick<FieldKind, 'name' | 'example' | 'icon'> & Partial<FieldKind>;

export function ShowLine({ value }: ShowProps) {
  return <span className={classes.line}>{String(value)}</span>;
}

export function TextWord({ value }: WordProps) {
  return String(value);
}

/** A value that its control has as a text. */
export const PLAIN_DRAFT = {
  start: (value: unknown) => (value === null ? '' : String(value)),
  parse: (draft: string): Parsed => ({ value: draft === '' ? null : draft }),
};

type Parse = (typed: string, language: Language) => Parsed;

/** Typed text is parsed as pasted text is; `parse`: of a text that is not blank. */
export function typedDraft(parse: Parse): Pick<FieldDraft<string>, 'start' | 'parse'> {
  return {
    start: PLAIN_DRAFT.start,
    parse: (draft, language) => (draft.trim() === '' ? { value: null } : parse(draft, language)),
  };
}

type Textual = Given & Pick<FieldDraft<string>, 'input'>;

/** A line of text. */
export function textual(parse: (typed: string) => Parsed, { input, ...given }: Textual): FieldKind {
  return {
    ...{ Show: ShowLine, width: 180, phrases: TEXT_PHRASES, Word: TextWord },
    text: { print: String, parse },
    edit: { control: 'line', ...typedDraft(parse), ...(input === undefined ? {} : { input }) },
    ...given,
  };
}

/** A value that conditions cannot compare. */
export const INCOMPARABLE = { isSorted: false, phrases: PRESENCE, Word: TextWord } as const;

interface Numeric extends Given, NumberWords {
  readonly parse: Parse;
}

/** A number with its unit and its marks. */
export function numeric({ parse, format, unit, ...given }: Numeric): FieldKind {
  function Show({ value, field }: ShowProps) {
    const { number } = useFormats();
    return <span className={classes.line}>{number(Number(value), format(field))}</span>;
  }
  /** The value of a condition; one that is not a number is shown as the address has it. */
  function Word({ value, field }: WordProps) {
    return typeof value === 'number' ? <Show value={value} field={field} /> : String(value);
  }
  const print = (value: unknown, language: Language) =>
    printNumber(Number(value), localeOf(language));
  return {
    ...{ Show, width: 120, align: 'end', phrases: NUMBER_PHRASES, Word, misfit: 'misfit.number' },
    text: {
      print: (value, { language }) => print(value, language),
      parse: (typed, { language }) => parse(typed, language),
    },
    edit: {
      ...{ control: 'line', input: { inputMode: 'decimal' }, ...typedDraft(withOtherMarks(parse)) },
      start: (value, language) => (value === null ? '' : print(value, language)),
    },
    numbers: unit === undefined ? { format } : { format, unit },
    ...given,
  };
}
