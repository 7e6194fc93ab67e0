// The events of a webhook: all of records, or some of them, and others.

import { useT } from '../../lib/messages/index.ts';
import classes from './webhook-form.module.css';
import { ALL_OF_RECORDS, eventText, OTHER_EVENTS, RECORD_EVENTS } from './webhook-words.ts';

interface EventsFieldProps {
  readonly events: readonly string[];
  readonly onChange: (events: readonly string[]) => void;
}

export function EventsField({ events, onChange }: EventsFieldProps) {
  const t = useT();
  const isAll = events.includes(ALL_OF_RECORDS);
  const otherEvents = events.filter((type) => !type.startsWith('record.'));
  const toggle = (type: string, isChosen: boolean) => {
    const rest = events.filter((one) => one !== type);
    onChange(isChosen ? [...rest, type] : rest);
  };
  return (
    <>
      <Events legend={t('webhooks.ofRecords')}>
        <Event
          type={ALL_OF_RECORDS}
          isChosen={isAll}
          onChange={(_, all) => onChange(all ? [ALL_OF_RECORDS, ...otherEvents] : otherEvents)}
        />
        {!isAll &&
          RECORD_EVENTS.map((type) => (
            <Event key={type} type={type} isChosen={events.includes(type)} onChange={toggle} />
          ))}
      </Events>
      <Events legend={t('webhooks.ofOthers')}>
        {OTHER_EVENTS.map((type) => (
          <Event key={type} type={type} isChosen={events.includes(type)} onChange={toggle} />
        ))}
      </Events>
    </>
  );
}

function Events({
  legend,
  children,
}: {
  readonly legend: string;
  readonly children: React.ReactNode;
}) {
  return (
    <fieldset className={classes.events}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  );
}

interface EventProps {
  readonly type: string;
  readonly isChosen: boolean;
  readonly onChange: (type: string, isChosen: boolean) => void;
}

function Event({ type, isChosen, onChange }: EventProps) {
  const t = useT();
  return (
    <label>
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ currentTarget }) => onChange(type, currentTarget.checked)}
      />
      {eventText(type, t)}
    </label>
  );
}
