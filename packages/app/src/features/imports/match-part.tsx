// How rows find existing records: by up to three fields, or not at all.

import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { LIMITS, type ObjectDefinition } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { type ImportDraft, withMatch, writtenFields } from './import-draft.ts';
import { isUnique, matchingFields, nameOf } from './import-fields.ts';

interface MatchPartProps {
  readonly object: ObjectDefinition;
  readonly draft: ImportDraft;
  readonly onChange: (draft: ImportDraft) => void;
}

export function MatchPart({ object, draft, onChange }: MatchPartProps) {
  const t = useT();
  const offered = matchingFields(writtenFields(object, draft));
  const { match } = draft;
  const isById = match.includes('id');
  // One more than are chosen, until there are three.
  const places = isById ? 1 : Math.min(LIMITS.matchKeys, match.length + 1);
  const put = (index: number, key: string) => {
    const next = key === '' ? match.slice(0, index) : [...match.slice(0, index), key];
    onChange(withMatch(object, draft, next));
  };
  const rest = (index: number) => offered.filter(({ key }) => !match.slice(0, index).includes(key));
  return (
    <Stack maw="28rem">
      {Array.from({ length: places }, (_, index) => index)
        .filter((index) => index === 0 || rest(index).length > 0)
        .map((index) => (
          <NativeSelect
            key={index}
            label={index === 0 ? t('import.sameWhen') : t('import.andWhen')}
            value={match[index] ?? ''}
            disabled={isById}
            data={[
              { value: '', label: index === 0 ? t('import.neverSame') : t('import.noOther') },
              ...rest(index).map((field) => ({
                value: field.key,
                label: isUnique(field)
                  ? t('import.uniqueField', { field: nameOf(field) })
                  : nameOf(field),
              })),
            ]}
            onChange={({ currentTarget }) => put(index, currentTarget.value)}
          />
        ))}
      <Text c="dimmed">{match.length === 0 ? t('import.allNew') : t('import.updates')}</Text>
      {match.length > 0 && (
        <Group component="label" wrap="nowrap" gap="sm">
          <input
            type="checkbox"
            checked={draft.onlyNew}
            onChange={({ currentTarget }) => onChange({ ...draft, onlyNew: currentTarget.checked })}
          />
          {t('import.onlyNew')}
        </Group>
      )}
    </Stack>
  );
}
