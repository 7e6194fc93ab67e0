// How long a one-time link can be used: 30 minutes for a link to sign in with, hours or days for an invitation.

import { NativeSelect } from '@mantine/core';
import { LIMITS } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';

const { minimum, byDefault, maximum } = LIMITS.invitationHours;
const HOURS = [minimum, 24, 72, byDefault, 336, maximum];

export const INVITATION_HOURS = byDefault;

interface LinkLifeProps {
  /** Of an invitation; null for a link to sign in with. */
  readonly hours: number | null;
  readonly onChange: (hours: number | null) => void;
  /** True: a link to sign in with can be chosen too. */
  readonly withSignIn?: boolean;
}

export function LinkLife({ hours, onChange, withSignIn = false }: LinkLifeProps) {
  const t = useT();
  const { number } = useFormats();
  const life = (value: number, unit: string) =>
    number(value, { style: 'unit', unit, unitDisplay: 'long' });
  const invitations = HOURS.map((value) => ({
    value: String(value),
    label: value < 24 ? life(value, 'hour') : life(value / 24, 'day'),
  }));
  const data = withSignIn
    ? [{ value: '', label: life(30, 'minute') }, ...invitations]
    : invitations;
  return (
    <NativeSelect
      label={t('people.linkLife')}
      data={data}
      value={hours === null ? '' : String(hours)}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? null : Number(value))}
    />
  );
}
