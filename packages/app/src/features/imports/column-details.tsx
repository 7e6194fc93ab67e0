// How the texts of a column become values of its field: words and options, the names of records and people, forms of dates.

import '../../lib/import-notice-texts.ts';
import { NativeSelect } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { FIRST_YEAR } from '../../../../tables/src/time-formats.ts';
import {
  hasShortYears,
  lastHundredYears,
  numberLike,
  readNumber,
  readTime,
  type WrittenForm,
} from '../../../../tables/src/written-forms.ts';
import { isDay, isNumeric, isOfPerson, isOfRecord, isOfTime } from '../../lib/field-facts.ts';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { timeZones, zoneOfBrowser } from '../../lib/zoned-time.ts';
import classes from './column-details.module.css';
import { type Column, formsOf, futureText } from './column-forms.ts';
import { FoundHint } from './found-hint.tsx';
import type { ColumnPlan, Target } from './import-draft.ts';
import { hasOptions, nameOf, namingFields, referenceOf } from './import-fields.ts';
import { OptionValues } from './option-values.tsx';
import { UnknownPeople } from './unknown-people.tsx';

export interface DetailsProps {
  readonly target: Target;
  readonly plan: ColumnPlan;
  readonly field: Field;
  readonly column: Column;
  readonly onChange: (plan: ColumnPlan) => void;
}

export function ColumnDetails(props: DetailsProps) {
  const { field } = props;
  if (hasOptions(field)) return <OptionValues {...props} />;
  if (isOfRecord(field)) return <ReferenceNaming {...props} />;
  if (isOfPerson(field)) return <UserNaming {...props} />;
  if (isNumeric(field)) return <NumberForm {...props} />;
  if (isOfTime(field)) return <TimeForm {...props} />;
  return null;
}

function ReferenceNaming({ target, plan, field, column, onChange }: DetailsProps) {
  const t = useT();
  const type = referenceOf(field) ?? '';
  const other = target.others.get(type);
  if (other === undefined) return null;
  const fields = namingFields(other);
  const name = other.singular_name ?? other.name ?? type;
  const data = fields.map((one) => ({
    value: one.key,
    label: t('import.namedBy', { name, field: one.key === 'id' ? t('import.id') : nameOf(one) }),
  }));
  const by = fields.find(({ key }) => key === plan.naming);
  return (
    <>
      <div className={classes.pair}>
        <NativeSelect
          size="xs"
          aria-label={t('import.namingOf', { field: nameOf(field) })}
          data={data}
          value={plan.naming ?? ''}
          onChange={({ currentTarget }) => onChange({ ...plan, naming: currentTarget.value })}
        />
        <Missing {...{ plan, field, onChange }} />
      </div>
      {by !== undefined && (
        <FoundHint type={type} field={by} texts={column.facts?.distinct ?? []} />
      )}
    </>
  );
}

function UserNaming({ plan, field, column, onChange }: DetailsProps) {
  const t = useT();
  return (
    <>
      <div className={classes.pair}>
        <NativeSelect
          size="xs"
          aria-label={t('import.namingOf', { field: nameOf(field) })}
          data={[
            { value: 'email', label: t('import.personByEmail') },
            { value: 'name', label: t('import.personByName') },
          ]}
          value={plan.naming ?? 'email'}
          onChange={({ currentTarget }) => onChange({ ...plan, naming: currentTarget.value })}
        />
        <Missing {...{ plan, field, onChange }} />
      </div>
      <UnknownPeople {...{ plan, onChange }} texts={column.facts?.distinct ?? []} />
    </>
  );
}

function Missing({ plan, field, onChange }: Pick<DetailsProps, 'plan' | 'field' | 'onChange'>) {
  const t = useT();
  if (field.required) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label={t('import.notFoundOf', { field: nameOf(field) })}
      data={[
        { value: 'reject', label: t('import.notFoundReject') },
        { value: 'empty', label: t('import.notFoundEmpty') },
      ]}
      value={plan.missing}
      onChange={({ currentTarget }) =>
        onChange({ ...plan, missing: currentTarget.value as ColumnPlan['missing'] })
      }
    />
  );
}

/** Says how numbers with marks are read, and lets one choose where the marks can mean two things. */
function NumberForm({ plan, field, column, onChange }: DetailsProps) {
  const t = useT();
  const { number } = useFormats();
  const texts = numberLike(column.facts?.distinct ?? []);
  const { forms, by } = formsOf(field, column);
  const differ = (text: string) => new Set(forms.map((one) => readNumber(text, one))).size > 1;
  const example = texts.find(differ) ?? texts.find((text) => /\d[^\d]\d/.test(text));
  if (example === undefined || forms.length === 0) return null;
  const readAs = (one: WrittenForm) =>
    t('import.numberRead', { example, value: number(readNumber(example, one)) });
  if (forms.length === 1) return <p className={classes.hint}>{readAs(plan.form ?? {})}</p>;
  const { form } = plan;
  const at = forms.findIndex(
    (one) => form !== undefined && readNumber(example, one) === readNumber(example, form),
  );
  return (
    <div>
      <NativeSelect
        size="xs"
        aria-label={t('import.numbersOf', { field: nameOf(field) })}
        data={[
          ...(at < 0 ? [{ value: '-1', label: t('import.chooseReading') }] : []),
          ...forms.map((one, index) => ({ value: String(index), label: readAs(one) })),
        ]}
        value={String(at)}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...plan, form: forms[Number(value)] })
        }
      />
      <Decision by={by} text={t('import.twoNumbers')} isOpen={form === undefined} />
    </div>
  );
}

interface DecisionProps {
  /** The heading of the column that decides. */
  readonly by: string | undefined;
  /** The question when none does. */
  readonly text: string;
  readonly isOpen: boolean;
}

/** Why values with two readings are read in one way, or the question that a person has to answer. */
function Decision({ by, text, isOpen }: DecisionProps) {
  const t = useT();
  if (by !== undefined)
    return <p className={classes.hint}>{t('import.decidedBy', { heading: by })}</p>;
  return isOpen ? <p className={classes.warning}>{text}</p> : null;
}

/** Offered besides the found ones. */
const DATES = ['D.M.YYYY', 'M/D/YYYY', 'D/M/YYYY', 'YYYY/M/D', 'D-M-YYYY', 'MMM D, YYYY'];

/** Says how dates are read, with their century and their zone, and lets one choose. */
function TimeForm(props: DetailsProps) {
  const t = useT();
  const { plan, column } = props;
  const { form } = plan;
  const texts = column.facts?.distinct ?? [];
  const example = futureText(form ?? {}, texts) ?? texts[0];
  if (example === undefined) return null;
  const value =
    form &&
    readTime(example, form)
      ?.replace('T', ' ')
      .replace(/:00\.000$/, '');
  return (
    <div>
      <DateFormat {...props} texts={texts} />
      {form !== undefined && hasShortYears(form) && <Century {...props} {...{ form, texts }} />}
      {form?.timezone !== undefined && <TimeZone {...props} form={form} />}
      {isDay(props.field) && form?.timezone !== undefined && (
        <p className={classes.hint}>{t('import.dayInZone')}</p>
      )}
      {value !== undefined && value !== example && (
        <p className={classes.hint}>{t('import.numberRead', { example, value })}</p>
      )}
    </div>
  );
}

type TimeProps = DetailsProps & { readonly texts: readonly string[] };

/** Shown where the form is not the one that the service reads by itself. */
function DateFormat({ plan, field, column, texts, onChange }: TimeProps) {
  const t = useT();
  const { forms, by } = formsOf(field, column);
  const [first] = forms;
  const isOpen = plan.form === undefined;
  const { format = '', ...form } = plan.form ?? first ?? {};
  if (!isOpen && first !== undefined && format === '') return null;
  const times = !isDay(field) ? DATES.map((date) => `${date} H:mm`) : [];
  const named = forms.flatMap((one) => one.format ?? []);
  const formats = [...new Set([...(isOpen ? [] : [format]), ...named, ...DATES, ...times])];
  const data = [
    isOpen
      ? { value: '', label: t('import.chooseReading') }
      : { value: '', label: t('import.standardTime') },
    ...formats.filter((one) => one !== '').map((one) => ({ value: one, label: one })),
  ];
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={t('import.formatOf', { field: nameOf(field) })}
        data={data}
        value={isOpen ? '' : format}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...plan, form: value === '' ? form : { ...form, format: value } })
        }
      />
      {first === undefined && <p className={classes.warning}>{t('import.noFormat')}</p>}
      {forms.length > 1 && (
        <Decision {...{ by, isOpen }} text={t('import.dayOrMonth', { example: texts[0] ?? '' })} />
      )}
    </>
  );
}

type FormProps = DetailsProps & { readonly form: WrittenForm };

function Century({ plan, form, field, texts, onChange }: TimeProps & FormProps) {
  const t = useT();
  const { first_year = FIRST_YEAR } = form;
  const years = new Set([FIRST_YEAR, lastHundredYears(new Date()), first_year]);
  const isAhead = futureText({ ...form, first_year: FIRST_YEAR }, texts) !== undefined;
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={t('import.centuryOf', { field: nameOf(field) })}
        data={[...years].map((year) => ({
          value: String(year),
          label: t('import.century', { first: String(year), last: String(year + 99) }),
        }))}
        value={String(first_year)}
        onChange={({ currentTarget }) =>
          onChange({ ...plan, form: { ...form, first_year: Number(currentTarget.value) } })
        }
      />
      {isAhead && <p className={classes.warning}>{t('import.twoCenturies')}</p>}
    </>
  );
}

function TimeZone({ plan, form, field, onChange }: FormProps) {
  const t = useT();
  const { timezone = '' } = form;
  const zones = new Set([timezone, zoneOfBrowser(), 'UTC', ...timeZones()]);
  return (
    <NativeSelect
      size="xs"
      label={t('import.zone')}
      aria-label={t('import.zoneOf', { field: nameOf(field) })}
      data={[...zones]}
      value={timezone}
      onChange={({ currentTarget }) =>
        onChange({ ...plan, form: { ...form, timezone: currentTarget.value } })
      }
    />
  );
}
