// The methods by which people sign in: passwords and identity providers. Changing a password takes a session; no key may
// do it, or it would outgrow its scopes (docs/decisions.md, D216).

import Type from 'typebox';
import type { Config } from '../../config.ts';
import { ApiError, errorFromProblems } from '../../errors.ts';
import { mayHavePasskeys } from '../../flow/people/passkeys.ts';
import { changePassword } from '../../flow/people/password-change.ts';
import { hasSignedIn, signInWithOidc } from '../../flow/people/sign-in-oidc.ts';
import {
  parseUnderWay,
  printUnderWay,
  readState,
  type SignInRequest,
} from '../../flow/people/under-way.ts';
import {
  readSignInCookie,
  requireCookies,
  sentTokens,
  signInCookies,
} from '../../http/request/session-cookies.ts';
import type { Site } from '../../http/request/site.ts';
import type { OpenRequest, Reply } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { WORKSPACE_SLUG_PATTERN } from '../../model/definition/physical-names.ts';
import { isPathOf } from '../../model/rights/application-path.ts';
import type { Database } from '../../postgres/db.ts';
import { defineOpenRoute, defineRoute } from '../context.ts';
import { closed, responseOf } from '../shapes.ts';
import { cookieOf, originOf } from './session-routes.ts';

const nothing = Type.Object({}, closed);
const WorkspaceQuery = Type.String({
  format: 'plain-text',
  minLength: 1,
  maxLength: LIMITS.idLength,
  description: 'The slug of the workspace.',
});
/** The path that providers send browsers back to: each provider has to be configured with it. */
export const CALLBACK = '/v1/sign_in/callback';

export const setPassword = defineRoute({
  method: 'PUT',
  path: '/me/password',
  operationId: 'setPassword',
  tag: 'Sessions',
  summary: 'Set or change your password',
  description: [
    'Send the current password as `current_password`, unless you signed in by a one-time link in the',
    'last 30 minutes. If you have no password yet, you must have signed in in the last 30 minutes. A password',
    'has 12 to 200 characters, is not your e-mail address and is not too common. All of your other sessions',
    'end.',
  ].join('\n'),
  scope: null,
  sessionOnly: true,
  duringSetUp: true,
  params: nothing,
  query: nothing,
  body: Type.Object(
    {
      password: Type.String({ maxLength: 2 * LIMITS.passwordLength.maximum }),
      current_password: Type.Optional(
        Type.String({ minLength: 1, maxLength: LIMITS.passwordLength.maximum }),
      ),
    },
    closed,
  ),
  status: 200,
  result: responseOf(
    Type.Object({
      ended_sessions: Type.Integer({
        description: 'The number of other sessions that have ended.',
      }),
    }),
  ),
  errors: [
    'validation_failed',
    'invalid_credentials',
    'permission_denied',
    'fresh_sign_in_required',
    'rate_limited',
  ],
  async handle({ caller, model, body, site, requestId, now }, { db, passwords }) {
    const ended_sessions = await changePassword(passwords, {
      ...{ db, caller, model, requestId, now: now() },
      password: body.password,
      current: body.current_password,
      address: site().address,
    });
    return { body: { data: { ended_sessions } } };
  },
});

export const listSignInMethods = defineOpenRoute({
  method: 'GET',
  path: '/sign_in_methods',
  operationId: 'listSignInMethods',
  tag: 'Sessions',
  summary: 'List ways to sign in',
  description: [
    'The data of a sign-in page, without authentication. The response is the same whether or not the',
    'workspace exists. `start_url` is the address for sign-in by an identity provider.',
  ].join('\n'),
  params: nothing,
  query: Type.Object({ workspace: WorkspaceQuery }, closed),
  status: 200,
  result: responseOf(
    Type.Object({
      password: Type.Boolean(),
      providers: Type.Array(
        Type.Object({ id: Type.String(), name: Type.String(), start_url: Type.String() }),
      ),
      sessions: Type.Boolean({
        description: 'False over plain http, where sign-in is not possible.',
      }),
      mail: Type.Boolean({ description: 'True when the service sends links to sign in with.' }),
      passkeys: Type.Boolean({
        description: 'True when people can sign in with a passkey here: the host has a name.',
      }),
    }),
  ),
  errors: ['validation_failed'],
  async handle({ query: { workspace }, site }, { oidc, config }) {
    const siteOfCall = site();
    const sessions = siteOfCall.cookies !== undefined;
    const providers = oidc.providersOf(workspace).map(({ id, name }) => {
      const search = new URLSearchParams({ workspace, provider: id });
      return { id, name, start_url: `/v1/sign_in/start?${search}` };
    });
    const mail = config.mail !== undefined;
    const passkeys = sessions && mayHavePasskeys(siteOfCall);
    return { body: { data: { password: true, providers, sessions, mail, passkeys } } };
  },
});

/** Some send codes of thousands of characters. */
const FromProvider = Type.String({ maxLength: 8000 });
const Elsewhere = responseOf(Type.Object({ location: Type.String() }));

export const startSignIn = defineOpenRoute({
  method: 'GET',
  path: '/sign_in/start',
  operationId: 'startSignIn',
  tag: 'Sessions',
  summary: 'Go to an identity provider',
  description: [
    'For browsers: 303 to the identity provider, which sends the browser back. `to` is the path behind',
    '`/app` of the next page of the application, such as `/acme/o/deals?sort=-amount`. Several',
    'sign-ins of a browser may be under way at once, ten minutes each; beyond five the oldest ends.',
  ].join('\n'),
  params: nothing,
  query: Type.Object(
    {
      workspace: WorkspaceQuery,
      provider: Type.String({ minLength: 1, maxLength: 100, default: 'default' }),
      to: Type.Optional(Type.String({ maxLength: LIMITS.applicationPathLength })),
    },
    closed,
  ),
  status: 303,
  result: Elsewhere,
  errors: ['validation_failed', 'invalid_credentials', 'permission_denied'],
  async handle(request, { db, oidc, config }) {
    const { query, site, cookies } = request;
    const { workspace, provider, to } = query;
    if (to !== undefined) requirePath(workspace, to);
    const wanted = { workspace, provider, to, since: Date.now() };
    const begin = async () => {
      const place = site();
      requireCookies(place);
      const { url, id, underWay } = await oidc.begin(wanted, place.origin + CALLBACK);
      return sentTo(url, signInCookies(place, cookies, { id, value: printUnderWay(underWay) }));
    };
    return forPeople(begin, { request, db, config, ...wanted });
  },
});

/** Errors: `validation_failed`. */
function requirePath(workspace: string, to: string): void {
  if (isPathOf(workspace, to)) return;
  const message = say('not_a_page', { workspace: '{workspace}' });
  throw errorFromProblems([{ param: 'to', code: 'validation_failed', message }]);
}

export const finishSignIn = defineOpenRoute({
  method: 'GET',
  path: '/sign_in/callback',
  operationId: 'finishSignIn',
  tag: 'Sessions',
  summary: 'Return from an identity provider',
  description: [
    'For browsers: signs in the person that the provider names, and redirects to the application. The service',
    'identifies a person by issuer and subject, and the first time by an e-mail address that the provider',
    'has verified. A repeated request, or one from a browser that has signed in since, redirects to the application.',
  ].join('\n'),
  params: nothing,
  query: Type.Object(
    {
      code: Type.Optional(FromProvider),
      state: Type.Optional(FromProvider),
      iss: Type.Optional(FromProvider),
      error: Type.Optional(FromProvider),
      error_description: Type.Optional(FromProvider),
    },
    closed,
  ),
  ignoresOtherQuery: true,
  status: 303,
  result: Elsewhere,
  errors: ['validation_failed', 'invalid_credentials', 'permission_denied', 'rate_limited'],
  async handle(request, { db, oidc, config }) {
    const { query, cookies } = request;
    const siteOfCall = request.site();
    const state = readState(query.state);
    const kept = state && readSignInCookie(cookies, siteOfCall, state.id);
    const underWay = parseUnderWay(kept, Date.now());
    const finish = async () => {
      requireCookies(siteOfCall);
      if (state === undefined || underWay === undefined) throw unknownSignIn();
      if (underWay.isDone) return sentTo(pageOf(underWay));
      const signedIn = await signInWithOidc(db, oidc, {
        underWay,
        url: addressOf(siteOfCall, query),
        origin: originOf(siteOfCall, request),
      });
      const value = printUnderWay({ ...underWay, isDone: true });
      const done = signInCookies(siteOfCall, cookies, { id: state.id, value });
      return sentTo(pageOf(underWay), [...done, cookieOf(siteOfCall, signedIn)]);
    };
    return forPeople(finish, { request, db, config, since: 0, ...(underWay ?? state) });
  },
});

/** It was begun by another browser, or too long ago. */
function unknownSignIn(): ApiError {
  const message = say('sign_in_not_under_way');
  return new ApiError('invalid_credentials', { param: 'state', message });
}

interface ForPeople {
  readonly request: Pick<
    OpenRequest<unknown, unknown, unknown>,
    'accept' | 'cookies' | 'isHostOf' | 'site'
  >;
  readonly db: Database;
  readonly config: Config;
  /** The slug of the workspace; undefined when it is not known. */
  readonly workspace?: string;
  readonly to?: string | undefined;
  /** When the sign-in began; 0 when it is not known. */
  readonly since: number;
}

/**
 * Browsers are led to the page to sign in, which says what has failed (D321), or to the application when they have signed
 * in meanwhile (D410); programs get the error.
 */
async function forPeople(act: () => Promise<Reply>, forWhom: ForPeople): Promise<Reply> {
  try {
    return await act();
  } catch (error) {
    const { accept = '' } = forWhom.request;
    const isForPeople = forWhom.config.application && /\btext\/html\b/i.test(accept);
    if (!isForPeople || !(error instanceof ApiError)) throw error;
    return sentTo(await pageAfter(error, forWhom));
  }
}

async function pageAfter(error: ApiError, forWhom: ForPeople): Promise<string> {
  const { request, db, workspace = '', to, since } = forWhom;
  const { cookies, isHostOf, site } = request;
  const reason = error.code === 'invalid_credentials' ? error.details?.reason : undefined;
  const refused = error.param === 'state' ? 'unknown' : String(reason ?? error.code);
  const isKnown = new RegExp(WORKSPACE_SLUG_PATTERN).test(workspace) && isHostOf(workspace);
  if (!isKnown) return `/app?${new URLSearchParams({ refused })}`;
  const tokens = sentTokens(cookies, site());
  if (await hasSignedIn(db, { workspace, tokens, since })) return pageOf({ workspace, to });
  const search = new URLSearchParams({ refused, ...(to === undefined ? {} : { to }) });
  return `/app/${workspace}/sign-in?${search}`;
}

/** The page after a sign-in. */
function pageOf({
  workspace,
  to = `/${workspace}`,
}: Pick<SignInRequest, 'workspace' | 'to'>): string {
  return `/app${to}`;
}

/** The address that the browser came back to. */
function addressOf({ origin }: Site, query: Readonly<Record<string, string | undefined>>): URL {
  const url = new URL(CALLBACK, origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

function sentTo(location: string, cookies: readonly string[] = []): Reply {
  return {
    body: { data: { location } },
    headers: { Location: location, 'Referrer-Policy': 'no-referrer' },
    cookies,
  };
}
