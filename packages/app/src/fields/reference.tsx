import { useQueryClient } from '@tanstack/react-query';
import { folded } from '../../../tables/src/folded.ts';
import { useRecordName } from '../lib/record-names.ts';
import { objectsQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { RecordLink } from '../ui/record-link.tsx';
import { RecordMark } from '../ui/record-mark.tsx';
import type { WordProps } from './field-filter.ts';
import type { FieldKind, ShowProps } from './field-kind.ts';
import { useLinkTabIndex } from './field-place.ts';
import classes from './fields.module.css';
import { CHOICE_PHRASES } from './phrases.ts';
import { PLAIN_DRAFT } from './plain.tsx';

function Show({ value, field }: ShowProps) {
  const tabIndex = useLinkTabIndex();
  const type = String(field.constraints?.reference_object_type);
  const id = String(value);
  const { name, isPending } = useRecordName(type, id);
  // A record that the person may not read is not a link: it would lead nowhere.
  if (name === undefined) {
    return (
      <span className={`${classes.line} ${classes.dim}`}>{isPending ? '' : id.slice(0, 8)}</span>
    );
  }
  return (
    <RecordLink type={type} id={id} className={classes.marked} tabIndex={tabIndex}>
      <Mark type={type} name={name} />
      <span className={classes.line}>{name}</span>
    </RecordLink>
  );
}

/** Objects are known once the navigation is shown. */
function Mark({ type, name }: { readonly type: string; readonly name: string }) {
  const objects = useQueryClient().getQueryData(objectsQuery(useSession()).queryKey);
  const object = objects?.find(({ object_type }) => object_type === type);
  return object === undefined ? null : <RecordMark object={object} name={name} />;
}

function NameWord({ value, field }: WordProps) {
  const id = String(value);
  const { name, isPending } = useRecordName(String(field.constraints?.reference_object_type), id);
  return name ?? (isPending ? '' : id.slice(0, 8));
}

export const reference: FieldKind = {
  name: 'type.reference',
  example: 'type.referenceExample',
  icon: 'M2.500 8h9m-3-3.500L12 8l-3.500 3.500M14 3v10',
  Show,
  width: 190,
  isSorted: false,
  isLink: true,
  firstOn: { card: 1, head: 1, linked: 2 },
  text: {
    // By name or id.
    needs: 'records',
    print: (value, { field, nameOf }) => nameOf(value, field) ?? String(value),
    parse(typed, { named }) {
      const found = named.get(folded(typed));
      if (found === 'ambiguous') return { problem: 'grid.ambiguous' };
      return found === undefined ? { problem: 'grid.noRecord' } : { value: String(found) };
    },
  },
  phrases: CHOICE_PHRASES,
  Word: NameWord,
  edit: { control: 'record', isChoice: true, ...PLAIN_DRAFT },
};
