// The roles that get access to a new object, with what each of them may do with its records.

import { Link } from '@tanstack/react-router';
import { type GrantEntry, type RoleEntry, withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { withoutKey } from '../../lib/definition/remove.ts';
import { usualGrant } from '../../lib/definition/usual-grants.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { ACTIONS, REACH } from '../../ui/rights-words.ts';
import classes from './plans.module.css';

export function NewObjectAccess({ type }: { readonly type: string }) {
  const t = useT();
  const { workspace } = useSession();
  const { document, present, change } = useDefinition();
  const roles = Object.entries(document.roles ?? {}).filter(([, role]) => !role.administrator);
  const isGranted = roles.some(([, { objects }]) => objects?.[type] !== undefined);
  const grantOf = (role: RoleEntry): GrantEntry =>
    role.objects?.[type] ?? usualGrant(role, present.document.objects) ?? { read: 'organisation' };
  const toggle = (key: string, role: RoleEntry) => {
    const path = ['roles', key, 'objects'];
    change((now) =>
      role.objects?.[type] === undefined
        ? withValue(now, [...path, type], grantOf(role))
        : withoutKey(now, path, type),
    );
  };
  return (
    <fieldset className={classes.access}>
      <legend>{t('plan.access')}</legend>
      {roles.map(([key, role]) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={role.objects?.[type] !== undefined}
            onChange={() => toggle(key, role)}
          />
          <span>
            {role.name ?? key} <small>{grantText(grantOf(role), t)}</small>
          </span>
        </label>
      ))}
      {!isGranted && <p>{t('plan.noAccess')}</p>}
      <Link to="/$workspace/settings/roles" params={{ workspace }}>
        {t('roles.title')}
      </Link>
    </fieldset>
  );
}

function grantText(grant: GrantEntry, t: Translate): string {
  return ACTIONS.flatMap(({ action, word }) => {
    const reach = grant[action];
    return reach === undefined ? [] : [`${t(word)}: ${t(REACH[reach].text)}`];
  }).join(' · ');
}
