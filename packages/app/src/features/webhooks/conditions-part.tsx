// Which changes of the chosen objects are sent: by the fields that changed, by the record, by its new status.

import { LIMITS, type ObjectDefinition } from '@workspace-records/client';
import FilterBar from '../../editing/filters/filter-bar.tsx';
import { Choices } from '../../fields/choices.tsx';
import { useT } from '../../lib/messages/index.ts';
import { zoneOfBrowser } from '../../lib/zoned-time.ts';
import { Section } from '../../ui/section.tsx';
import { FormGroup, Hint } from './form-group.tsx';
import { useChosenObjects, useOfferedFields, useOfferedStatuses } from './use-offered.ts';
import { withWhere } from './webhook-draft.ts';
import type { PartProps } from './webhook-form.tsx';

export function ConditionsPart(part: PartProps) {
  const t = useT();
  const objects = useChosenObjects(part.draft.objectTypes);
  return (
    <Section title={t('webhooks.narrow')} text={t('webhooks.narrowText')}>
      <Where {...part} objects={objects} />
      <ChangedFields {...part} objects={objects} />
      <Statuses {...part} objects={objects} />
    </Section>
  );
}

interface OfObjects extends PartProps {
  /** The definitions of the chosen object types, as far as they are loaded. */
  readonly objects: readonly ObjectDefinition[];
}

function Where({ draft, problems, objects, onChange }: OfObjects) {
  const t = useT();
  const isOne = draft.objectTypes.length === 1;
  const [object] = objects;
  return (
    <FormGroup
      title={t('webhooks.where')}
      text={t('webhooks.whereText')}
      problem={problems.get('where')}
    >
      {!isOne && <Hint>{t('webhooks.chooseOneObject')}</Hint>}
      {isOne && object !== undefined && (
        <FilterBar
          object={object}
          where={draft.where}
          most={LIMITS.webhookConditions}
          isOwn
          onChange={(where) => onChange(withWhere(draft, where, zoneOfBrowser()))}
        />
      )}
    </FormGroup>
  );
}

function ChangedFields({ draft, problems, objects, onChange }: OfObjects) {
  const t = useT();
  const offered = useOfferedFields(objects, draft.changedFields);
  return (
    <FormGroup
      title={t('webhooks.changedFields')}
      text={t('webhooks.changedFieldsText')}
      problem={problems.get('changed_fields')}
      isFlow
    >
      {offered.length === 0 ? (
        <Hint>{t('webhooks.chooseObject')}</Hint>
      ) : (
        <Choices
          offered={offered}
          values={draft.changedFields}
          isMany
          label={t('webhooks.changedFields')}
          onChange={(keys) => onChange({ ...draft, changedFields: keys as readonly string[] })}
        />
      )}
    </FormGroup>
  );
}

function Statuses({ draft, problems, objects, onChange }: OfObjects) {
  const t = useT();
  const offered = useOfferedStatuses(objects, draft.statusTo);
  const missing = objects.length === 0 ? t('webhooks.chooseObject') : t('webhooks.noStatuses');
  return (
    <FormGroup
      title={t('webhooks.statuses')}
      text={t('webhooks.statusesText')}
      problem={problems.get('status_to')}
      isFlow
    >
      {offered.length === 0 ? (
        <Hint>{missing}</Hint>
      ) : (
        <Choices
          offered={offered}
          values={draft.statusTo}
          isMany
          label={t('webhooks.statuses')}
          onChange={(ids) => onChange({ ...draft, statusTo: ids as readonly string[] })}
        />
      )}
    </FormGroup>
  );
}
