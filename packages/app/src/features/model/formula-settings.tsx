// The settings of a formula: its expression, checked by the service as it is typed, and the form of its result.

import { NativeSelect, Textarea } from '@mantine/core';
import type { FieldType } from '@workspace-records/client';
import { RESULT_TYPES } from '../../fields/entry-kind.ts';
import { kindOf } from '../../fields/kinds.ts';
import type { ObjectEntry } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { factsOf } from '../../lib/field-facts.ts';
import { messageText, useT } from '../../lib/messages/index.ts';
import type { FieldPartProps } from './field-form.tsx';
import { hasSetting, withType } from './field-kinds.ts';
import { useFieldProblems } from './field-plan.ts';
import { CurrencyField, NumberInput, orNothing } from './field-settings.tsx';
import classes from './model.module.css';
import { presentCurrency } from './new-field.ts';

const MOST_CHARACTERS = 1000;

interface FormulaSettingsProps extends FieldPartProps {
  readonly fieldKey: string;
}

export function FormulaSettings(props: FormulaSettingsProps) {
  const { field, set } = props;
  const t = useT();
  const { document } = useDefinition();
  const { result_type: result = 'number' } = field;
  return (
    <>
      <Expression {...props} />
      <NativeSelect
        label={t('formula.result')}
        data={RESULT_TYPES.map((value) => ({ value, label: t(kindOf({ type: value }).name) }))}
        value={result}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as FieldType;
          const { currency } = withType(
            { ...field, type: result },
            next,
            presentCurrency(document),
          );
          const scale = factsOf({ type: next }).words.includes('scale') ? field.scale : undefined;
          set({
            ...orNothing('currency', currency),
            ...orNothing('scale', scale),
            result_type: next,
          });
        }}
      />
      {hasSetting(field, 'money') && <CurrencyField {...props} />}
      {hasSetting(field, 'scale') && (
        <NumberInput
          label={t('fields.scale')}
          value={field.scale}
          most={15}
          onChange={(scale) => set(orNothing('scale', scale))}
        />
      )}
    </>
  );
}

/** The part of the expression before a problem is shown with it. */
function Expression({ type, field, set, problems, fieldKey }: FormulaSettingsProps) {
  const t = useT();
  const { document } = useDefinition();
  const { fields } = document.objects[type] as ObjectEntry;
  const { expression = '' } = field;
  const planned = { type, fieldKey: fieldKey === '' ? 'formula' : fieldKey, field };
  const [problem] = useFieldProblems(document, planned, 'expression');
  const at = Number(problem?.params?.at);
  const isShown = expression !== '' && problem !== undefined;
  return (
    <>
      <Textarea
        label={t('formula.expression')}
        description={t('formula.expressionText')}
        rows={3}
        maxLength={MOST_CHARACTERS}
        spellCheck={false}
        autoCapitalize="none"
        value={expression}
        error={problems.get('expression') ?? (isShown ? messageText(problem) : undefined)}
        onChange={({ currentTarget }) => set({ expression: currentTarget.value })}
      />
      {isShown && at > 0 && (
        <code className={classes.expression}>
          {expression.slice(0, at - 1)}
          <mark>{expression.slice(at - 1)}</mark>
        </code>
      )}
      <details className={classes.more}>
        <summary>{t('formula.fields')}</summary>
        <p className={classes.hint}>
          {Object.keys(fields)
            .filter((key) => key !== fieldKey)
            .join(', ')}
        </p>
        <p className={classes.hint}>{t('formula.functions')}</p>
      </details>
    </>
  );
}
