// Options for words that a field lacks: a button for those who may change the definition, and for others who can.

import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Field } from '@workspace-records/client';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import classes from './column-details.module.css';
import type { ColumnPlan, Target } from './import-draft.ts';
import { mayGainOptions } from './new-options.ts';
import { NewOptionsDialog } from './new-options-dialog.tsx';

interface OptionsOfferProps {
  readonly target: Target;
  readonly plan: ColumnPlan;
  readonly field: Field;
  /** Without an option. */
  readonly words: readonly string[];
  readonly onChange: (plan: ColumnPlan) => void;
}

export function OptionsOffer({ target, plan, field, words, onChange }: OptionsOfferProps) {
  const t = useT();
  const session = useSession();
  const { data: access } = useSuspenseQuery(accessQuery(session));
  const [isMaking, setMaking] = useState(false);
  if (!mayGainOptions(field)) return null;
  if (!access.administrator.allowed || session.me.viewing !== undefined) {
    return <p className={classes.hint}>{t('import.optionsByOthers')}</p>;
  }
  return (
    <>
      <Button size="compact-xs" variant="subtle" onClick={() => setMaking(true)}>
        {t('import.makeOptions', { count: words.length })}
      </Button>
      {isMaking && (
        <NewOptionsDialog
          {...{ target, field, words }}
          onMade={(values) => {
            onChange({ ...plan, values: { ...plan.values, ...values } });
            setMaking(false);
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  );
}
