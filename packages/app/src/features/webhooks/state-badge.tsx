// A state: its word, with a dot in a colour that says the same.

import { useT } from '../../lib/messages/index.ts';
import classes from './state-badge.module.css';
import { DELIVERY_STATES, type DeliveryState, type ShownState, STATES } from './webhook-words.ts';

export function StateBadge({ state }: { readonly state: ShownState }) {
  return <Labelled {...STATES[state]} />;
}

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  return <Labelled {...DELIVERY_STATES[state]} />;
}

function Labelled({ label, tone }: (typeof STATES)[ShownState]) {
  const t = useT();
  return (
    <span className={classes.badge} data-tone={tone}>
      {t(label)}
    </span>
  );
}
