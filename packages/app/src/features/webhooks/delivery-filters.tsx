// Which deliveries are listed: by state, event and time.

import '../../lib/delivery-texts.ts';
import { TextInput } from '@mantine/core';
import { localTimeOf, momentOf } from '../../lib/local-time.ts';
import { useT } from '../../lib/messages/index.ts';
import { Choice } from '../../ui/choice.tsx';
import type { DeliveryFilter } from './api.ts';
import classes from './deliveries.module.css';
import { DELIVERED_TYPES, DELIVERY_STATES, eventText } from './webhook-words.ts';

interface DeliveryFiltersProps {
  readonly filter: DeliveryFilter;
  readonly onChange: (filter: DeliveryFilter) => void;
}

export function DeliveryFilters({ filter, onChange }: DeliveryFiltersProps) {
  const t = useT();
  const { state = '', type = '', since } = filter;
  const states = Object.entries(DELIVERY_STATES).map(([one, { label }]) => [one, t(label)]);
  const types = DELIVERED_TYPES.map((one) => [one, eventText(one, t)]);
  const change = (name: keyof DeliveryFilter, value: string | undefined) => {
    const { [name]: _, ...others } = filter;
    onChange(value ? ({ ...others, [name]: value } as DeliveryFilter) : others);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as one.
    <div className={classes.filters} role="group" aria-label={t('deliveries.which')}>
      <Choice
        label={t('deliveries.state')}
        options={{ '': t('deliveries.anyState'), ...Object.fromEntries(states) }}
        value={state}
        onChange={(value) => change('state', value)}
      />
      <Choice
        label={t('deliveries.type')}
        options={{ '': t('deliveries.anyType'), ...Object.fromEntries(types) }}
        value={type}
        onChange={(value) => change('type', value)}
      />
      <TextInput
        type="datetime-local"
        label={t('deliveries.since')}
        value={since === undefined ? '' : localTimeOf(since)}
        onChange={({ currentTarget }) => change('since', momentOf(currentTarget.value))}
      />
    </div>
  );
}
