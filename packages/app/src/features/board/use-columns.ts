// The columns of the board that is shown: those that can be expected, and one for every other value that has records.

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { workflowReferenceOf } from '../../editing/status-moves.ts';
import { useWorkflows } from '../../editing/use-workflows.ts';
import { isOfPerson } from '../../lib/field-facts.ts';
import { useT } from '../../lib/messages/index.ts';
import { useNamesOfPeople } from '../../lib/person-names.ts';
import { peopleQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { type BoardColumn, columnsOf, isRequested, requestedType } from './columns.ts';
import type { FiguresByColumn } from './figures.ts';
import type { BoardProps } from './use-board-content.ts';

const NOBODY: ReadonlyMap<number, string> = new Map();

export function useColumns(
  props: BoardProps,
  figures: FiguresByColumn | undefined,
): readonly BoardColumn[] {
  const { object, view, field, isTouched } = props;
  const t = useT();
  const type = requestedType(view.where);
  const workflows = useWorkflows(object, isTouched || type !== undefined);
  const found = useFound(figures);
  const people = usePeopleOf(isOfPerson(field), found);
  return useMemo(() => {
    const reference =
      type === undefined ? undefined : workflowReferenceOf(object, { work_item_type_id: type });
    const workflow = workflows.get(reference?.id ?? '');
    const words = {
      ...{ yes: t('field.yes'), no: t('field.no'), none: t('board.none') },
      unknown: (id: string) => t('person.unknownOf', { id }),
    };
    return columnsOf({ field, people, workflow, words, found }).filter((column) =>
      isRequested(column, field, view.where),
    );
  }, [object, field, people, workflows, type, view.where, found, t]);
}

/** Ids of columns with records; the same list while they are the same, however many records there are. */
function useFound(figures: FiguresByColumn | undefined): readonly string[] {
  const ids = Object.keys(figures ?? {}).filter((id) => (figures?.[id]?.count ?? 0) > 0);
  const text = JSON.stringify(ids);
  return useMemo(() => JSON.parse(text) as readonly string[], [text]);
}

/** Those that are listed, and all other people with records. */
function usePeopleOf(isWanted: boolean, found: readonly string[]): ReadonlyMap<number, string> {
  const listed = useQuery({ ...peopleQuery(useSession()), enabled: isWanted });
  const { data: people = NOBODY } = listed;
  const isListed = isWanted && !listed.isPending;
  const ids = isListed ? found.filter((id) => id !== '').map(Number) : [];
  const others = useNamesOfPeople(ids.filter((id) => !people.has(id)));
  return useMemo(() => new Map([...people, ...others]), [people, others]);
}
