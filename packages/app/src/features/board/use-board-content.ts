// The board of a question: its columns, the query of each, the permitted moves, and the moves.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Field, RecordData, Workflow } from '@workspace-records/client';
import { useId, useLayoutEffect, useMemo, useRef } from 'react';
import { isFinal, obstacleOf, workflowReferenceOf } from '../../editing/status-moves.ts';
import { useWorkflows } from '../../editing/use-workflows.ts';
import { STATUS_KEY } from '../../lib/board-fields.ts';
import { useLanguage, useT } from '../../lib/messages/index.ts';
import { useCanChangeEach } from '../../lib/permissions.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { expandable, type RecordQuestion } from '../../lib/record-lists.ts';
import { OWNER_KEY as OWNER, useMayAssign, workflowQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import type { BoardContent, ColumnHandle, FocusTarget } from './board-context.ts';
import { cardFields, summedField } from './card-fields.ts';
import { type BoardColumn, columnIdOf, conditionOf } from './columns.ts';
import { type FiguresByColumn, figuresQuery } from './figures.ts';
import type { Spot } from './keys.ts';
import { moveWithFocus } from './move-with-focus.ts';
import { useColumns } from './use-columns.ts';
import { useMoves } from './use-moves.ts';

export interface LoadedBoard {
  readonly content: BoardContent;
  /** Undefined while they are counted. */
  readonly figures: FiguresByColumn | undefined;
  /** Resolves to whether the record is there now. */
  move(record: RecordData, column: BoardColumn): Promise<boolean>;
}

export type BoardProps = Pick<LayoutProps, 'object' | 'view'> & {
  readonly field: Field;
  /** Whether the person is about to move a card: the transitions of workflows are requested then. */
  readonly isTouched: boolean;
};

export function useBoardContent(props: BoardProps): LoadedBoard {
  const { object, view, field } = props;
  const session = useSession();
  const words = { t: useT(), language: useLanguage() };
  const fields = useMemo(
    () => cardFields(object, view.fields, field.key),
    [object, view.fields, field],
  );
  const sum = useMemo(() => summedField(object, view.sum), [object, view.sum]);
  const questionOf = useQuestions(props, fields, sum);
  const { canMove, obstacle, isOpen, endsIn } = useRules(props);
  const { q, where } = view;
  const figures = figuresQuery(session, object.object_type, { q, where, by: field, sum });
  const { data: counted } = useQuery(figures);
  const columns = useColumns(props, counted);
  const { move, rehome } = useMoves(
    {
      ...{ type: object.object_type, field, sum, columns, questionOf },
      figuresKey: figures.queryKey,
      ...{ isOpen, endsIn },
    },
    words,
  );
  const acts = useLatest({ move, rehome });
  const handles = useRef(new Map<string, ColumnHandle>()).current;
  const wanted = useRef<FocusTarget>(undefined);
  const hintId = useId();
  const content = useMemo((): BoardContent => {
    const focus = ({ column, index }: Spot) => handles.get(column)?.focus(index);
    const shown = { object, field, sum, cardFields: fields, columns, handles, wanted, hintId };
    return {
      ...{ ...shown, questionOf, canMove, obstacle, focus },
      move: (record, to) =>
        void moveWithFocus({ field, handles, wanted }, { record, to }, acts.current.move),
      rehome: (record) => acts.current.rehome(record),
    };
  }, [object, field, sum, fields, columns, handles, hintId, questionOf, canMove, obstacle, acts]);
  return { content, figures: counted, move };
}

/** The query of a column; the same query is the same object. */
function useQuestions(
  { object, view, field }: BoardProps,
  fields: readonly Field[],
  sum: Field | undefined,
) {
  const { q, sort, where } = view;
  return useMemo(() => {
    const owner = object.fields.find(({ key }) => key === OWNER);
    const cardFields = [...fields, ...(owner === undefined ? [] : [owner])];
    const read = [...cardFields, field, ...(sum === undefined ? [] : [sum])];
    const common = {
      ...{ q, sort },
      fields: [...new Set(read.map(({ key }) => key))],
      expand: expandable(cardFields),
    };
    const questions = new Map<string, RecordQuestion>();
    return (column: BoardColumn) => {
      const question = questions.get(column.id) ?? {
        ...common,
        where: [...where, conditionOf(field, column)],
        isBesideOthers: true,
      };
      questions.set(column.id, question);
      return question;
    };
  }, [object, fields, field, sum, q, sort, where]);
}

/** The permitted moves, as far as they can be known before. */
function useRules({ object, field, isTouched }: BoardProps) {
  const session = useSession();
  const queries = useQueryClient();
  const workflows = useWorkflows(object, isTouched);
  const mayChange = useCanChangeEach(object, 'update');
  useMayAssign(object, field.key === OWNER);
  const isStatus = field.key === STATUS_KEY;
  return useMemo(() => {
    const referenceOf = (record: RecordData) =>
      isStatus ? workflowReferenceOf(object, record) : undefined;
    const canMove = (record: RecordData) =>
      mayChange(record) && (isStatus ? referenceOf(record) !== undefined : field.editable);
    const between = (record: RecordData, column: BoardColumn, workflow: Workflow | undefined) => {
      if (columnIdOf(record, field) === column.id) return { kind: 'here' } as const;
      const isOwn = record.owner_user_id === session.me.user.id;
      return workflow && obstacleOf(workflow, record.status, column.id, isOwn);
    };
    return {
      canMove,
      obstacle: (record: RecordData, column: BoardColumn) =>
        between(record, column, workflows.get(referenceOf(record)?.id ?? '')),
      /** True for a final status; false while the workflow is not loaded, because a move does not wait for it. */
      endsIn(record: RecordData, column: BoardColumn) {
        const workflow = workflows.get(referenceOf(record)?.id ?? '');
        return workflow !== undefined && isFinal(workflow, column.id);
      },
      /** Once its workflow is known. */
      async isOpen(record: RecordData, column: BoardColumn) {
        const id = referenceOf(record)?.id;
        const workflow = id && (await queries.ensureQueryData(workflowQuery(session, id)));
        return canMove(record) && between(record, column, workflow || undefined) === undefined;
      },
    };
  }, [object, field, isStatus, mayChange, workflows, queries, session]);
}

/** The latest value, for code that outlives a render. */
export function useLatest<Value>(value: Value) {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
