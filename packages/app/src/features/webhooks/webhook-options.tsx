// The options of a webhook: conditions, exclusions, what a request contains, and for administrators the owner.

import { Choices } from '../../fields/choices.tsx';
import { useT } from '../../lib/messages/index.ts';
import { Choice } from '../../ui/choice.tsx';
import { Section } from '../../ui/section.tsx';
import { ConditionsPart } from './conditions-part.tsx';
import { FormGroup } from './form-group.tsx';
import { HeadersField } from './headers-field.tsx';
import { OwnerField } from './owner-field.tsx';
import classes from './webhook-form.module.css';
import type { PartProps } from './webhook-form.tsx';
import { SOURCES } from './webhook-words.ts';

interface WebhookOptionsProps extends PartProps {
  readonly isAdministrator: boolean;
  readonly storedHeaders: readonly string[];
}

export function WebhookOptions({ isAdministrator, storedHeaders, ...part }: WebhookOptionsProps) {
  return (
    <>
      <ConditionsPart {...part} />
      <Exclusions {...part} />
      <Request {...part} storedHeaders={storedHeaders} />
      {isAdministrator && <OwnerField {...part} />}
    </>
  );
}

function Exclusions({ draft, problems, onChange }: PartProps) {
  const t = useT();
  const offered = Object.entries(SOURCES).map(([value, key]) => ({ value, label: t(key) }));
  return (
    <Section title={t('webhooks.except')} text={t('webhooks.exceptText')}>
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={draft.exceptOwn}
          onChange={({ currentTarget }) => onChange({ ...draft, exceptOwn: currentTarget.checked })}
        />
        {t('webhooks.exceptOwn')}
      </label>
      <FormGroup title={t('webhooks.exceptSources')} problem={problems.get('except')} isFlow>
        <Choices
          offered={offered}
          values={draft.exceptSources}
          isMany
          label={t('webhooks.exceptSources')}
          onChange={(sources) =>
            onChange({ ...draft, exceptSources: sources as readonly string[] })
          }
        />
      </FormGroup>
    </Section>
  );
}

function Request({ draft, problems, onChange, storedHeaders }: PartProps & StoredProps) {
  const t = useT();
  return (
    <Section title={t('webhooks.content')}>
      <Choice
        label={t('webhooks.payload')}
        options={{ thin: t('webhooks.payloadThin'), record: t('webhooks.payloadRecord') }}
        value={draft.payload}
        onChange={(payload) => onChange({ ...draft, payload })}
      />
      <FormGroup
        title={t('webhooks.headers')}
        text={t('webhooks.headersText')}
        problem={problems.get('headers')}
      >
        <HeadersField
          stored={storedHeaders}
          headers={draft.headers}
          onChange={(headers) => onChange({ ...draft, headers })}
        />
      </FormGroup>
    </Section>
  );
}

interface StoredProps {
  readonly storedHeaders: readonly string[];
}
