// A list by the values of a field: a group for each, with a count of its records, and a table of its own when it is
// open.

import { useInfiniteQuery } from '@tanstack/react-query';
import type { Field } from '@workspace-records/client';
import { useId, useMemo, useState } from 'react';
import { filterOf } from '../../../fields/filters.ts';
import { kindOf } from '../../../fields/kinds.ts';
import { OptionTag } from '../../../fields/option-tag.tsx';
import { canCreate } from '../../../lib/creation-fields.ts';
import { useIsEmpty } from '../../../lib/drained-pages.ts';
import { isOfTime } from '../../../lib/field-facts.ts';
import { useFormats } from '../../../lib/format.ts';
import { groupsQuery } from '../../../lib/group-query.ts';
import { conditionsOfGroup, orderedGroups, type RecordGroup } from '../../../lib/groups.ts';
import { useT } from '../../../lib/messages/index.ts';
import type { LayoutProps } from '../../../lib/record-layout.ts';
import { useSession } from '../../../lib/session.ts';
import { readDraft, writeDraft } from '../../../lib/storage.ts';
import { Failure } from '../../../ui/failure.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { Nothing } from '../nothing.tsx';
import { ROW_PIXELS, rowHeightOf } from '../row-heights.ts';
import { TableOf } from '../table-of.tsx';
import classes from './groups.module.css';

interface GroupedTableProps extends LayoutProps {
  readonly by: Field;
}

export default function GroupedTable({ by, ...props }: GroupedTableProps) {
  const t = useT();
  const { object, view } = props;
  const { q, where } = view;
  const sum = object.fields.find(({ key }) => key === view.sum);
  const query = useInfiniteQuery(
    groupsQuery(useSession(), object.object_type, { q, where, by, sum }),
  );
  const groups = useMemo(
    () => orderedGroups(query.data?.pages.flatMap(({ data }) => data) ?? [], by),
    [query.data, by],
  );
  const { isOpen, toggle } = useOpenGroups(`groups ${object.object_type} ${by.key}`, groups);
  const isEmpty = useIsEmpty(query, groups.length);
  if (query.error !== null) {
    return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (isEmpty) return <Nothing {...props} />;
  return (
    <div className={classes.groups} aria-busy={query.isPending}>
      {groups.map((group) => (
        <GroupSection
          key={String(group.value)}
          {...{ ...props, group, by, sum }}
          isOpen={isOpen(group)}
          onToggle={() => toggle(group)}
        />
      ))}
      <MoreButton query={query} className={classes.more}>
        {t('groups.more')}
      </MoreButton>
    </div>
  );
}

/** The tab of the browser remembers which are open; in a list that was not seen yet, the first one is. */
function useOpenGroups(name: string, [first]: readonly RecordGroup[]) {
  const [kept, setKept] = useState(() => ({ name, open: readDraft(name) }));
  const known = kept.name === name ? kept.open : readDraft(name);
  const open = Array.isArray(known) ? known.map(String) : first && [String(first.value)];
  return {
    isOpen: ({ value }: RecordGroup) => open?.includes(String(value)) ?? false,
    toggle({ value }: RecordGroup) {
      const group = String(value);
      const others = (open ?? []).filter((one) => one !== group);
      const next = open?.includes(group) ? others : [...others, group];
      writeDraft(name, next);
      setKept({ name, open: next });
    },
  };
}

interface GroupSectionProps extends LayoutProps {
  readonly group: RecordGroup;
  readonly by: Field;
  readonly sum: Field | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function GroupSection({ group, by, sum, isOpen, onToggle, ...props }: GroupSectionProps) {
  const t = useT();
  const id = useId();
  const { view } = props;
  const { value, count } = group;
  const where = useMemo(
    () => [...view.where, ...conditionsOfGroup(by, value)],
    [view.where, by, value],
  );
  return (
    <section className={classes.group} aria-labelledby={id}>
      <h2 className={classes.head}>
        <button
          type="button"
          id={id}
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-table` : undefined}
          onClick={onToggle}
        >
          <span className={classes.arrow} data-open={isOpen || undefined}>
            <Icon name="right" size={14} />
          </span>
          <span className={classes.name}>
            <GroupName by={by} value={value} />
          </span>
          <span className={classes.figure}>{t('groups.count', { count })}</span>
          {sum !== undefined && group.sum !== null && <Sum field={sum} value={group.sum} />}
        </button>
      </h2>
      {isOpen && (
        <div
          id={`${id}-table`}
          className={classes.table}
          style={{ height: heightOf(props, count) }}
        >
          <TableOf {...props} where={where} isPart />
        </div>
      )}
    </section>
  );
}

/** The most rows of a group that are shown without scrolling. */
const MOST_ROWS = 12;

/** The height of a group: its heading, its rows, the line of a new record and the totals. */
function heightOf({ object, view }: LayoutProps, count: number): string {
  const rows = Math.min(count, MOST_ROWS) * ROW_PIXELS[rowHeightOf(object.object_type, view)];
  const lines = 1 + (canCreate(object) ? 1 : 0) + ((view.totals ?? []).length > 0 ? 1 : 0);
  return `calc(${rows}px + ${lines} * var(--row) + 1rem)`;
}

function GroupName({ by, value }: { readonly by: Field; readonly value: unknown }) {
  const t = useT();
  const { month } = useFormats();
  if (value === null) return t('groups.none', { name: by.name ?? by.key });
  if (isOfTime(by)) return month(String(value));
  if (by.options !== undefined) return <OptionTag field={by} value={value} />;
  const { Word } = filterOf(by) ?? {};
  return Word === undefined ? String(value) : <Word field={by} value={value} />;
}

function Sum({ field, value }: { readonly field: Field; readonly value: number }) {
  const t = useT();
  const { Show } = kindOf(field);
  return (
    <span className={classes.sum}>
      {t('groups.sum', { name: field.name ?? field.key })}
      <Show field={field} value={value} />
    </span>
  );
}
