// The way to another filter.

import { LIMITS, type ObjectDefinition, type Where } from '@workspace-records/client';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { conditionsOf } from '../../lib/where.ts';
import { Floating } from '../../ui/floating.tsx';
import { usePageAction } from '../../ui/page-actions.ts';
import { ToolButton } from '../../ui/tool-button.tsx';
import { ClauseEdit } from './clause-edit.tsx';

interface NewFilterProps {
  readonly object: ObjectDefinition;
  /** The present filters. */
  readonly where: readonly Where[];
  /** Conditions that the service takes. */
  readonly most?: number | undefined;
  /** True: fields behind references are not offered. */
  readonly isOwn?: boolean;
  /** True: the key `f` does the same on this page. */
  readonly isKeyed?: boolean;
  readonly onApply: (part: Where) => void;
}

export function NewFilter(props: NewFilterProps) {
  const {
    object,
    where,
    most = LIMITS.conditions,
    isOwn = false,
    isKeyed = false,
    onApply,
  } = props;
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const isFull = where.flatMap(conditionsOf).length >= most;
  const action = {
    id: 'list.filter',
    label: t('filter.new'),
    icon: 'filter',
    shortcut: 'f',
  } as const;
  usePageAction(isKeyed && !isFull ? { ...action, run: () => setOpen(true) } : undefined);
  const apply = (part: Where) => {
    close();
    onApply(part);
  };
  return (
    <Floating
      title={t('filter.new')}
      isOpen={isOpen}
      onClose={close}
      target={
        <ToolButton
          icon="filter"
          isOpen={isOpen}
          disabled={isFull}
          onClick={() => setOpen(!isOpen)}
        >
          {t('filter.add')}
        </ToolButton>
      }
    >
      <ClauseEdit {...{ object, isOwn }} clause={undefined} onRemove={close} onApply={apply} />
    </Floating>
  );
}
