// One-time links to sign in with, made by administrators: invitations and links for people who cannot sign in otherwise.
// Each takes a session; no key may make, list or revoke one (docs/decisions.md, D216).

import Type from 'typebox';
import { loadMember, type MemberRow } from '../../control/people/people.ts';
import { administrationOf } from '../../control/workspace/administer.ts';
import { ApiError, errorFromProblems } from '../../errors.ts';
import { loadUsableLinks } from '../../flow/people/link-makers.ts';
import { makeSignInLink, revokeSignInLink } from '../../flow/people/make-sign-in-link.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { requireAdministrator } from '../../model/rights/access.ts';
import type { Database } from '../../postgres/db.ts';
import { defineRoute } from '../context.ts';
import { languageOf } from '../events/mail-routes.ts';
import { closed, listOf, responseOf } from '../shapes.ts';

const nothing = Type.Object({}, closed);
const moment = Type.String({ format: 'date-time' });
const UserId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const Purpose = Type.Enum(['sign_in', 'invitation'], {
  description: 'An invitation is valid for days, a link to sign in with for 30 minutes.',
});
const { minimum, byDefault, maximum } = LIMITS.invitationHours;

const OpenLink = Type.Object(
  { id: Type.String({ format: 'uuid' }), purpose: Purpose, created_at: moment, expires_at: moment },
  { $id: 'SignInLink' },
);

export const createSignInLink = defineRoute({
  method: 'POST',
  path: '/users/{user_id}/sign_in_links',
  operationId: 'createSignInLink',
  tag: 'Sessions',
  summary: 'Make a one-time link to sign in with',
  description: [
    'Creates a link to invite a person, or to help a person who forgot the password. It works once: an',
    'invitation for `expires_in_hours`, by default seven days, and a link to sign in with for 30 minutes. Older',
    'links of the person end, and this one when you are no longer an administrator. The secret is the fragment of the address, which browsers do not send; the application',
    'signs in with it as `token`. `mail=true` also sends the person an invitation with a link of its own, when the',
    'service sends mail. For administrators who have signed in in the last 30 minutes.',
  ].join('\n'),
  scope: null,
  sessionOnly: true,
  fresh: true,
  params: Type.Object({ user_id: UserId }, closed),
  query: Type.Object(
    {
      mail: Type.Enum(['true', 'false'], {
        default: 'false',
        description: 'Also send the person an invitation by mail.',
      }),
    },
    closed,
  ),
  body: Type.Object(
    {
      purpose: Type.Optional(Purpose),
      expires_in_hours: Type.Optional(
        Type.Integer({
          minimum,
          maximum,
          description: `Hours for which an invitation is valid; ${byDefault} when left out.`,
        }),
      ),
    },
    closed,
  ),
  bodyOptional: true,
  status: 201,
  result: responseOf(
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      purpose: Purpose,
      url: Type.String({ format: 'uri' }),
      expires_at: moment,
      mailed: Type.Boolean({ description: 'True when an invitation is sent by mail.' }),
    }),
  ),
  malformedPathIsNotFound: true,
  errors: ['validation_failed', 'permission_denied', 'user_not_found', 'conflict'],
  async handle(request, { db, config }) {
    const { caller, model, params, query, body, site, requestId, acceptLanguage } = request;
    requireAdministrator(caller);
    const hours = hoursOf(body, query.mail === 'true');
    const person = await requirePerson(db, model.schema, params.user_id);
    const asked = administrationOf({ db, model, caller, requestId });
    const mailed = query.mail === 'true' && config.mail !== undefined;
    const mail = mailed ? { language: languageOf(acceptLanguage) } : undefined;
    const link = await makeSignInLink(asked, { person, origin: site().origin, hours, mail });
    return { body: { data: { ...link, mailed } } };
  },
});

interface LinkBody {
  readonly purpose?: 'sign_in' | 'invitation';
  readonly expires_in_hours?: number;
}

/** The hours of an invitation; null for a link to sign in with. Errors: `validation_failed`. */
function hoursOf({ purpose, expires_in_hours }: LinkBody, isMailed: boolean): number | null {
  const isInvitation = expires_in_hours !== undefined || isMailed;
  if ((purpose ?? (isInvitation ? 'invitation' : 'sign_in')) === 'invitation') {
    return expires_in_hours ?? byDefault;
  }
  if (expires_in_hours === undefined) return null;
  const message = say('hours_of_invitation_only');
  throw errorFromProblems([{ param: 'expires_in_hours', code: 'validation_failed', message }]);
}

async function requirePerson(db: Database, schema: string, id: number): Promise<MemberRow> {
  const person = await loadMember(db, schema, id);
  if (person?.kind === 'user') return person;
  throw new ApiError('user_not_found', { param: 'user_id' });
}

export const listSignInLinks = defineRoute({
  method: 'GET',
  path: '/users/{user_id}/sign_in_links',
  operationId: 'listSignInLinks',
  tag: 'Sessions',
  summary: 'List the one-time links of a person',
  description: [
    'Invitations and links that can still be used, the newest first, without their secrets.',
    'For administrators.',
  ].join(' '),
  scope: null,
  sessionOnly: true,
  params: Type.Object({ user_id: UserId }, closed),
  query: nothing,
  malformedPathIsNotFound: true,
  status: 200,
  result: listOf(OpenLink),
  errors: ['validation_failed', 'permission_denied', 'user_not_found'],
  async handle({ caller, model, params }, { db }) {
    requireAdministrator(caller);
    const { id } = await requirePerson(db, model.schema, params.user_id);
    return { body: { data: await loadUsableLinks(db, model, id) } };
  },
});

export const revokeSignInLinkRoute = defineRoute({
  method: 'DELETE',
  path: '/users/{user_id}/sign_in_links/{link_id}',
  operationId: 'revokeSignInLink',
  tag: 'Sessions',
  summary: 'Revoke a one-time link',
  description: 'The link signs nobody in afterwards. For administrators.',
  scope: null,
  sessionOnly: true,
  params: Type.Object(
    {
      user_id: UserId,
      link_id: Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    },
    closed,
  ),
  query: nothing,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Type.Object({ id: Type.String(), revoked: Type.Literal(true) })),
  errors: ['permission_denied', 'user_not_found', 'record_not_found'],
  async handle({ caller, model, params, requestId }, { db }) {
    requireAdministrator(caller);
    const { id: user_id } = await requirePerson(db, model.schema, params.user_id);
    const asked = administrationOf({ db, model, caller, requestId });
    await revokeSignInLink(asked, { user_id, id: params.link_id });
    return { body: { data: { id: params.link_id, revoked: true } } };
  },
});
