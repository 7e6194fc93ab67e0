// Name, address and title of a person; saved together.

import { Button, Group, Stack, TextInput } from '@mantine/core';
import { isRecordsError, type ListedMember } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { errorText, useT } from '../../lib/messages/index.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { showToast } from '../../ui/toast.ts';
import { type PersonChanges, useChangePerson } from './api.ts';
import classes from './people.module.css';

type Draft = Readonly<Record<'name' | 'email' | 'title', string>>;

export function ProfilePart({ person }: { readonly person: ListedMember }) {
  const t = useT();
  const { mutate, error, isPending } = useChangePerson(person.id);
  const saved = draftOf(person);
  const [draft, setDraft] = useState(saved);
  const changes = changesOf(saved, draft);
  const isChanged = Object.keys(changes).length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(changes, {
      onSuccess(changed) {
        setDraft(draftOf(changed));
        showToast({ text: t('people.saved') });
      },
    });
  };
  const refusalOf = (param: string) =>
    isRecordsError(error) && error.param === param ? errorText(error) : undefined;
  const field = (name: keyof Draft) => ({
    value: draft[name],
    error: refusalOf(name),
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setDraft({ ...draft, [name]: currentTarget.value }),
  });
  const isElsewhere = ['name', 'email', 'title'].every((name) => refusalOf(name) === undefined);
  return (
    <Section title={t('people.profile')}>
      <Stack component="form" gap="lg" onSubmit={submit}>
        <div className={classes.pair}>
          <TextInput label={t('people.name')} required withAsterisk={false} {...field('name')} />
          <TextInput label={t('people.jobTitle')} {...field('title')} />
        </div>
        <TextInput
          type="email"
          label={t('people.email')}
          description={t('people.emailText')}
          required
          withAsterisk={false}
          {...field('email')}
        />
        {error !== null && isElsewhere && <Problem error={error} />}
        <Group gap="sm">
          <Button type="submit" loading={isPending} disabled={!isChanged}>
            {t('people.save')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

function draftOf({ name, email, title }: Pick<ListedMember, keyof Draft>): Draft {
  return { name: name ?? '', email, title: title ?? '' };
}

function changesOf(saved: Draft, draft: Draft): PersonChanges {
  const title = draft.title.trim();
  return {
    ...(draft.name === saved.name ? {} : { name: draft.name.trim() }),
    ...(draft.email === saved.email ? {} : { email: draft.email.trim().toLowerCase() }),
    ...(draft.title === saved.title ? {} : { title: title === '' ? null : title }),
  };
}
