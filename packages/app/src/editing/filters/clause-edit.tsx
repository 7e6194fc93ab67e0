// The dialog of a filter: a condition, or several of which one is enough, found or, negated, left out.

import { Button, Group, Stack } from '@mantine/core';
import type { ObjectDefinition, Where } from '@workspace-records/client';
import { type FormEvent, useRef, useState } from 'react';
import { type Clause, partOf } from '../../lib/clauses.ts';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import {
  type ConditionDraft,
  ConditionEdit,
  conditionOf,
  draftOf,
  type IsPossible,
} from './condition-edit.tsx';
import { useFilterFields } from './filter-fields.ts';
import classes from './filters.module.css';
import { useIsIndexed } from './indexed-fields.ts';

interface ClauseEditProps {
  readonly object: ObjectDefinition;
  readonly isOwn: boolean;
  /** Undefined: a new one. */
  readonly clause: Clause | undefined;
  readonly onApply: (part: Where) => void;
  readonly onRemove: () => void;
}

export function ClauseEdit(props: ClauseEditProps) {
  const { clause, onApply, onRemove } = props;
  const t = useT();
  const isIndexed = useIsIndexed();
  const isPossible: IsPossible = (field, { isPart }) => isPart !== true || isIndexed(field);
  const { fields, drafts, setDrafts, add } = useDrafts(props);
  const [isNegated, setNegated] = useState(clause?.isNegated ?? false);
  const [isTried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A form around the filters is not sent with one of them.
    event.stopPropagation();
    const conditions = drafts.flatMap((draft) => conditionOf(draft) ?? []);
    if (conditions.length === drafts.length) onApply(partOf({ conditions, isNegated }));
    else setTried(true);
  };
  return (
    <form className={classes.clause} onSubmit={submit} noValidate>
      {drafts.map((draft, index) => (
        <Stack key={draft.id} gap="sm">
          {index > 0 && <Or onRemove={() => setDrafts(drafts.filter((one) => one !== draft))} />}
          <ConditionEdit
            {...{ draft, fields, isPossible, isTried }}
            onChange={(next) => setDrafts(drafts.map((one) => (one === draft ? next : one)))}
          />
        </Stack>
      ))}
      <Group justify="space-between" gap="sm">
        <Button
          variant="subtle"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => {
            setTried(false);
            add();
          }}
        >
          {t('filter.addAlternative')}
        </Button>
        <Group component="label" wrap="nowrap" gap="sm">
          <input
            type="checkbox"
            checked={isNegated}
            onChange={({ currentTarget }) => setNegated(currentTarget.checked)}
          />
          {t('filter.negate')}
        </Group>
      </Group>
      <Group wrap="nowrap" gap="sm">
        <Button type="submit">{t('filter.apply')}</Button>
        {clause !== undefined && (
          <Button variant="default" onClick={onRemove}>
            {t('filter.remove')}
          </Button>
        )}
      </Group>
    </form>
  );
}

function Or({ onRemove }: { readonly onRemove: () => void }) {
  const t = useT();
  return (
    <div className={classes.or}>
      <span>{t('filter.or')}</span>
      <Button variant="subtle" color="gray" onClick={onRemove}>
        {t('filter.removeCondition')}
      </Button>
    </div>
  );
}

/** Fields behind references come a moment later; unchanged drafts are read with them. */
function useDrafts({ object, clause, isOwn }: ClauseEditProps) {
  const fields = useFilterFields(object, isOwn);
  const [edited, setDrafts] = useState<readonly ConditionDraft[]>();
  const added = useRef(0);
  const drafts = edited ?? begun(clause, fields);
  const add = () => {
    added.current -= 1;
    setDrafts([...drafts, draftOf(added.current, fields)]);
  };
  return { fields, drafts, setDrafts, add };
}

function begun(
  clause: Clause | undefined,
  fields: Parameters<typeof draftOf>[1],
): readonly ConditionDraft[] {
  if (clause === undefined) return [draftOf(0, fields)];
  return clause.conditions.map((condition, index) => draftOf(index, fields, condition));
}
