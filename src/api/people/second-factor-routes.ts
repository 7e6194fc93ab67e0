// The second factors and passkeys of the person in a session, and their reset by an administrator. No key may change one
// (docs/design/second-factors.md).

import Type from 'typebox';
import {
  addPasskey,
  beginCode,
  beginPasskey,
  confirmCode,
  type FactorChange,
  presentFactors,
  removeCode,
  removePasskey,
  renewRecoveryCodes,
  resetFactors,
} from '../../flow/people/factor-setup.ts';
import { beginWithPasskey } from '../../flow/people/second-step.ts';
import { requireCookies } from '../../http/request/session-cookies.ts';
import type { RouteRequest } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { type ApiContext, defineOpenRoute, defineRoute } from '../context.ts';
import { languageOf } from '../events/mail-routes.ts';
import { closed, nullable, responseOf } from '../shapes.ts';
import { NameText, noParams, noQuery, SmallId } from './administration-shapes.ts';
import {
  AttestationShape,
  CodeText,
  OptionsShape,
  Passkey,
  RecoveryCodes,
} from './factor-shapes.ts';

const TAG = 'Second factor';
const passkeyParams = Type.Object(
  { passkey_id: Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }) },
  closed,
);

/** Of the routes here: for the person in a session, also while a role requires a factor that is not set up. */
const OWN = {
  tag: TAG,
  scope: null,
  sessionOnly: true,
  duringSetUp: true,
  query: noQuery,
} as const;

function changeOf(
  request: RouteRequest<unknown, unknown, unknown>,
  { db, webhooks: { keys } }: ApiContext,
): FactorChange {
  const { caller, model, requestId } = request;
  return { db, caller, model, requestId, keys, now: request.now() };
}

export const getSecondFactor = defineRoute({
  ...OWN,
  method: 'GET',
  path: '/me/second_factor',
  operationId: 'getSecondFactor',
  summary: 'Show your second factors',
  description:
    'Your one-time codes, passkeys and recovery codes. `required`: a role of yours requires a factor.',
  params: noParams,
  status: 200,
  result: responseOf(
    Type.Object({
      required: Type.Boolean(),
      code: nullable(
        Type.Object(
          { created_at: Type.String({ format: 'date-time' }) },
          { description: 'One-time codes of an authenticator app; null: not set up.' },
        ),
      ),
      recovery_codes: Type.Integer({ description: 'The number of codes that are left.' }),
      passkeys: Type.Array(Passkey),
    }),
  ),
  errors: [],
  async handle({ caller, model, requestId }, { db }) {
    return { body: { data: await presentFactors({ db, caller, model, requestId }) } };
  },
});

export const beginCodes = defineRoute({
  ...OWN,
  method: 'POST',
  path: '/me/second_factor/code',
  operationId: 'beginCodes',
  summary: 'Begin to set up one-time codes',
  description: [
    'Answers a new secret for an authenticator app (RFC 6238), as text, address and QR code. It counts once a code of it',
    'was sent with `PUT`; until then an older secret stays in use. For sign-ins of the last 30 minutes.',
  ].join(' '),
  params: noParams,
  status: 201,
  result: responseOf(
    Type.Object({
      secret: Type.String({ description: 'The secret in base32.' }),
      uri: Type.String(),
      qr_svg: Type.String({ description: 'The address as a QR code in SVG.' }),
    }),
  ),
  errors: ['permission_denied', 'fresh_sign_in_required'],
  async handle(request, context) {
    return { body: { data: await beginCode(changeOf(request, context)) } };
  },
});

export const confirmCodes = defineRoute({
  ...OWN,
  method: 'PUT',
  path: '/me/second_factor/code',
  operationId: 'confirmCodes',
  summary: 'Confirm one-time codes',
  description:
    'The first code of the new secret sets it up. With the first factor come ten recovery codes.',
  params: noParams,
  body: Type.Object({ code: CodeText }, closed),
  status: 200,
  result: responseOf(Type.Object({ recovery_codes: RecoveryCodes })),
  errors: ['validation_failed', 'permission_denied', 'fresh_sign_in_required', 'conflict'],
  async handle(request, context) {
    const recovery_codes = await confirmCode(changeOf(request, context), request.body.code);
    return { body: { data: { recovery_codes } } };
  },
});

export const removeCodes = defineRoute({
  ...OWN,
  method: 'DELETE',
  path: '/me/second_factor/code',
  operationId: 'removeCodes',
  summary: 'Remove one-time codes',
  description:
    'Recovery codes go with the last factor, which is not removed while a role requires one.',
  params: noParams,
  status: 200,
  result: responseOf(Type.Object({ removed: Type.Literal(true) })),
  errors: ['permission_denied', 'fresh_sign_in_required', 'record_not_found', 'conflict'],
  async handle(request, context) {
    await removeCode(changeOf(request, context));
    return { body: { data: { removed: true } } };
  },
});

export const makeRecoveryCodes = defineRoute({
  ...OWN,
  method: 'POST',
  path: '/me/second_factor/recovery_codes',
  operationId: 'makeRecoveryCodes',
  summary: 'Make new recovery codes',
  description: 'Ten codes, each for one sign-in, shown once. The older ones end.',
  params: noParams,
  status: 201,
  result: responseOf(Type.Object({ recovery_codes: RecoveryCodes })),
  errors: ['permission_denied', 'fresh_sign_in_required', 'conflict'],
  async handle(request, context) {
    const recovery_codes = await renewRecoveryCodes(changeOf(request, context));
    return { body: { data: { recovery_codes } } };
  },
});

export const beginPasskeyRoute = defineRoute({
  ...OWN,
  method: 'POST',
  path: '/me/passkeys/options',
  operationId: 'beginPasskey',
  summary: 'Begin to add a passkey',
  description:
    'The options for `navigator.credentials.create`. Their `challenge` is valid for five minutes.',
  params: noParams,
  status: 201,
  result: responseOf(OptionsShape),
  errors: ['permission_denied', 'fresh_sign_in_required', 'conflict'],
  async handle(request, context) {
    return { body: { data: await beginPasskey(changeOf(request, context), request.site()) } };
  },
});

export const createPasskey = defineRoute({
  ...OWN,
  method: 'POST',
  path: '/me/passkeys',
  operationId: 'createPasskey',
  summary: 'Add a passkey',
  description:
    'Send the answer of `navigator.credentials.create`. A passkey works at the host at which it was made.',
  params: noParams,
  body: Type.Object(
    {
      challenge: Type.String({ format: 'plain-text', minLength: 1, maxLength: LIMITS.idLength }),
      name: NameText,
      credential: AttestationShape,
    },
    closed,
  ),
  status: 201,
  result: responseOf(Type.Object({ passkey: Passkey, recovery_codes: RecoveryCodes })),
  errors: ['validation_failed', 'permission_denied', 'fresh_sign_in_required', 'conflict'],
  async handle(request, context) {
    const added = await addPasskey(changeOf(request, context), request.body, request.site());
    return { body: { data: added } };
  },
});

export const deletePasskeyRoute = defineRoute({
  ...OWN,
  method: 'DELETE',
  path: '/me/passkeys/{passkey_id}',
  operationId: 'deletePasskey',
  summary: 'Remove a passkey',
  description: 'The last factor is not removed while a role requires one.',
  params: passkeyParams,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Type.Object({ id: Type.String(), removed: Type.Literal(true) })),
  errors: ['permission_denied', 'fresh_sign_in_required', 'record_not_found', 'conflict'],
  async handle(request, context) {
    const id = request.params.passkey_id;
    await removePasskey(changeOf(request, context), id);
    return { body: { data: { id, removed: true } } };
  },
});

export const resetSecondFactor = defineRoute({
  method: 'DELETE',
  path: '/users/{user_id}/second_factor',
  operationId: 'resetSecondFactor',
  tag: TAG,
  summary: 'Reset the second factors of a person',
  description: [
    'Removes the one-time codes, recovery codes and passkeys of another person, who is told by mail when the service',
    'sends mail. For administrators who have signed in in the last 30 minutes.',
  ].join(' '),
  scope: null,
  sessionOnly: true,
  fresh: true,
  params: Type.Object({ user_id: SmallId }, closed),
  query: noQuery,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Type.Object({ user_id: Type.Integer(), reset: Type.Literal(true) })),
  errors: ['permission_denied', 'user_not_found', 'conflict'],
  async handle({ caller, model, requestId, params: { user_id }, acceptLanguage }, context) {
    const { db, config } = context;
    const mail = config.mail === undefined ? undefined : { language: languageOf(acceptLanguage) };
    await resetFactors({ db, caller, model, requestId }, { user_id, mail });
    return { body: { data: { user_id, reset: true } } };
  },
});

export const beginPasskeySignIn = defineOpenRoute({
  method: 'POST',
  path: '/sign_in/passkey',
  operationId: 'beginPasskeySignIn',
  tag: 'Sessions',
  summary: 'Begin to sign in with a passkey alone',
  description: [
    'The options for `navigator.credentials.get`, whose answer goes to `POST /sessions` as `assertion` with the',
    '`challenge`. The authenticator has to verify the person. The response is the same whether or not the workspace exists.',
  ].join(' '),
  params: noParams,
  query: noQuery,
  body: Type.Object(
    { workspace: Type.String({ format: 'plain-text', minLength: 1, maxLength: LIMITS.idLength }) },
    closed,
  ),
  status: 201,
  result: responseOf(OptionsShape),
  errors: ['validation_failed', 'permission_denied', 'cross_site_request'],
  async handle({ body, site, isHostOf }, { db }) {
    const place = site();
    requireCookies(place);
    return {
      body: { data: await beginWithPasskey(db, body.workspace, { site: place, isHostOf }) },
    };
  },
});
