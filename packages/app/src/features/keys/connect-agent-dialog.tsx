// Connecting an agent: a key that reads unless one wants more, its secret once, and the configuration of the agent to
// copy. Such a key never passes gates.

import '../../lib/agent-texts.ts';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { Choice } from '../../ui/choice.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Snippet } from '../../ui/secret-view.tsx';
import { AGENTS, type AgentName, agentSnippet, FILE_OF } from './agent-snippets.ts';
import type { Scope } from './api.ts';
import { KeyDialogFrame, type KeyDialogProps, type KeyFormProps } from './key-dialog-frame.tsx';
import classes from './keys-page.module.css';

const URL_OF_MCP = `${location.origin}/mcp`;
const DAYS = 90;

const READING: readonly Scope[] = ['records:read', 'comments:read', 'users:read'];
const RIGHTS = { read: READING, write: [...READING, 'records:write', 'comments:write'] } as const;
type Rights = keyof typeof RIGHTS;

/** The owner is the user that the agent acts as. */
export function ConnectAgentDialog(props: KeyDialogProps) {
  const t = useT();
  return (
    <KeyDialogFrame
      {...props}
      title={t('agent.connect')}
      form={(asked) => <AgentForm {...asked} />}
    >
      <Configuration />
    </KeyDialogFrame>
  );
}

function AgentForm({ isSending, error, onSend }: KeyFormProps) {
  const t = useT();
  const [rights, setRights] = useState<Rights>('read');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    onSend({
      name: String(form.get('name')).trim(),
      scopes: RIGHTS[rights],
      gates: false,
      expires_at: new Date(Date.now() + DAYS * 86_400_000).toISOString(),
    });
  };
  return (
    <Stack gap="lg" renderRoot={(props) => <form {...props} onSubmit={submit} />}>
      <Text c="dimmed">{t('agent.text')}</Text>
      <TextInput
        name="name"
        label={t('keys.name')}
        description={t('agent.nameText', { days: DAYS })}
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
      <Choice
        label={t('agent.rights')}
        options={{ read: t('agent.read'), write: t('agent.write') }}
        value={rights}
        onChange={setRights}
      />
      {error !== null && <Problem error={error} />}
      <Group wrap="nowrap" justify="flex-end" gap="sm" mt={20}>
        <Button type="submit" loading={isSending}>
          {t('keys.make')}
        </Button>
      </Group>
    </Stack>
  );
}

function Configuration() {
  const t = useT();
  const { copy, copied, reset } = useClipboard();
  const [agent, setAgent] = useState<AgentName>('claudeCode');
  const text = agentSnippet(agent, URL_OF_MCP);
  const file = FILE_OF[agent];
  const choose = (chosen: AgentName) => {
    reset();
    setAgent(chosen);
  };
  return (
    <>
      <Choice label={t('agent.which')} options={AGENTS} value={agent} onChange={choose} />
      <Snippet
        caption={file === null ? t('agent.inTerminal') : t('agent.inFile', { file })}
        text={text}
      />
      <Group justify="space-between" gap="sm">
        <span className={classes.small}>{t('agent.variable')}</span>
        <Button
          variant="default"
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
          onClick={() => copy(text)}
        >
          {copied ? t('secret.copied') : t('agent.copy')}
        </Button>
      </Group>
    </>
  );
}
