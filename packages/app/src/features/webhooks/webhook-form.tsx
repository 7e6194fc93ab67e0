// The form of a webhook: its receiver and the changes it sends; everything else is folded away until it is needed. What
// the service refuses is shown at its part.

import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Choices } from '../../fields/choices.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useReadableObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { EventsField } from './events-field.tsx';
import { FormGroup } from './form-group.tsx';
import { hasOptions, type WebhookDraft, withObjects } from './webhook-draft.ts';
import classes from './webhook-form.module.css';
import { WebhookOptions } from './webhook-options.tsx';
import {
  concernOptions,
  NO_PROBLEMS,
  type Problems,
  webhookProblemsOf,
} from './webhook-problems.ts';

interface WebhookFormProps {
  readonly start: WebhookDraft;
  readonly isAdministrator: boolean;
  /** Names of headers whose values nobody can read. */
  readonly storedHeaders: readonly string[];
  readonly isSending: boolean;
  readonly error: unknown;
  /** The word for sending it. */
  readonly action: string;
  readonly onSend: (draft: WebhookDraft) => void;
  readonly onCancel: () => void;
}

export interface PartProps {
  readonly draft: WebhookDraft;
  readonly problems: Problems;
  readonly onChange: (draft: WebhookDraft) => void;
}

export function WebhookForm(props: WebhookFormProps) {
  const { start, error, onSend, onCancel } = props;
  const t = useT();
  const [draft, setDraft] = useState(start);
  const [missing, setMissing] = useState(NO_PROBLEMS);
  const refused = webhookProblemsOf(error);
  const problems = missing.size > 0 ? missing : refused;
  const form = useFocusOfProblem(problems);
  const missingIn = ({ url, events }: WebhookDraft): Problems => {
    return new Map([
      ...(url.trim() === '' ? [['url', t('webhooks.needsUrl')] as const] : []),
      ...(events.length === 0 ? [['events', t('webhooks.needsEvents')] as const] : []),
    ]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = missingIn(draft);
    setMissing(found);
    if (found.size === 0) onSend(draft);
  };
  const part: PartProps = { draft, problems, onChange: setDraft };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Receiver {...part} />
      <Changes {...part} />
      <Options {...props} {...part} />
      {error !== null && refused.size === 0 && missing.size === 0 && <Problem error={error} />}
      <Group wrap="nowrap" gap="sm" mt="xl">
        <Button type="submit" loading={props.isSending}>
          {props.action}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('record.cancel')}
        </Button>
      </Group>
    </form>
  );
}

/** The first part with a problem comes into view, and its control has the focus. */
function useFocusOfProblem(problems: Problems) {
  const form = useRef<HTMLFormElement>(null);
  const key = JSON.stringify([...problems]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: problems with other words are other ones.
  useEffect(() => {
    const place = form.current?.querySelector('[data-problem]');
    place?.querySelector<HTMLElement>('input, select, button')?.focus();
    place?.scrollIntoView({ block: 'nearest' });
  }, [key]);
  return form;
}

function Receiver({ draft, problems, onChange }: PartProps) {
  const t = useT();
  const problem = problems.get('url');
  return (
    <Section title={t('webhooks.receiver')}>
      <div data-problem={problem}>
        <TextInput
          type="url"
          label={t('webhooks.url')}
          description={t('webhooks.urlText')}
          placeholder="https://"
          maxLength={2048}
          value={draft.url}
          error={problem}
          onChange={({ currentTarget }) => onChange({ ...draft, url: currentTarget.value })}
        />
      </div>
    </Section>
  );
}

function Changes({ draft, problems, onChange }: PartProps) {
  const t = useT();
  const readable = useReadableObjects();
  const offered = readable.map(({ object_type, name }) => ({
    value: object_type,
    label: name ?? object_type,
  }));
  const gone = draft.objectTypes.filter((type) => !offered.some(({ value }) => value === type));
  const all = [...offered, ...gone.map((value) => ({ value, label: value }))];
  return (
    <Section title={t('webhooks.changes')} text={t('webhooks.changesText')}>
      <div className={classes.columns}>
        <FormGroup title={t('webhooks.events')} problem={problems.get('events')}>
          <EventsField
            events={draft.events}
            onChange={(events) => onChange({ ...draft, events })}
          />
        </FormGroup>
        <FormGroup title={t('webhooks.objects')} problem={problems.get('object_types')}>
          <Choices
            offered={all}
            values={draft.objectTypes}
            isMany
            label={t('webhooks.objects')}
            onChange={(types) => onChange(withObjects(draft, types as readonly string[]))}
          />
        </FormGroup>
      </div>
    </Section>
  );
}

function Options(props: WebhookFormProps & PartProps) {
  const { start, problems } = props;
  const t = useT();
  const { me } = useSession();
  const [isOpen, setOpen] = useState(() => hasOptions(start, me.user.id));
  const isShown = isOpen || concernOptions(problems);
  return (
    <details
      className={classes.options}
      open={isShown}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t('webhooks.more')}</summary>
      {isShown && <WebhookOptions {...props} />}
    </details>
  );
}
