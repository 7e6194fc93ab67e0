// Mail over HTTP: asking for a link to sign in with, and the page behind the link that ends mails. Parsing and presenting
// only; the way there is in flow/people.

import Type from 'typebox';
import { ApiError } from '../../errors.ts';
import { mailSignInLink } from '../../flow/people/mail-sign-in-link.ts';
import { readUnsubscribeLink, unsubscribe } from '../../flow/people/unsubscribe.ts';
import { requireCookies } from '../../http/request/session-cookies.ts';
import type { Reply } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { askPage, donePage } from '../../mail/unsubscribe-page.ts';
import { say } from '../../messages/message.ts';
import { parseAcceptLanguage } from '../../model/definition/texts.ts';
import { MAIL_LANGUAGES, type MailLanguage } from '../../model/rights/notification-kinds.ts';
import { defineOpenRoute } from '../context.ts';
import { closed, responseOf } from '../shapes.ts';

const nothing = Type.Object({}, closed);

export const mailLink = defineOpenRoute({
  method: 'POST',
  path: '/sign_in_links',
  operationId: 'mailSignInLink',
  tag: 'Sessions',
  summary: 'Get a one-time link by mail',
  description: [
    'Sends a link to sign in with to the person of the workspace with this address. The response is the same whether or',
    'not there is one. After 10 requests in 15 minutes for an address of mail or from an address of the network: 429',
    'with `Retry-After`. `permission_denied` when the service sends no mail.',
  ].join(' '),
  params: nothing,
  query: nothing,
  body: Type.Object(
    {
      workspace: Type.String({ format: 'plain-text', minLength: 1, maxLength: LIMITS.idLength }),
      email: Type.String({ format: 'plain-text', minLength: 1, maxLength: LIMITS.emailLength }),
    },
    closed,
  ),
  status: 200,
  result: responseOf(Type.Object({ accepted: Type.Literal(true) })),
  errors: ['validation_failed', 'permission_denied', 'cross_site_request', 'rate_limited'],
  async handle({ body, site, isHostOf, acceptLanguage }, { db, config }) {
    const origin = site();
    requireCookies(origin);
    if (config.mail === undefined) {
      throw new ApiError('permission_denied', { message: say('mail_not_configured') });
    }
    const language = languageOf(acceptLanguage);
    await mailSignInLink(db, { ...body, language }, { address: origin.address, isHostOf });
    return { body: { data: { accepted: true } } };
  },
});

/** The first language of the browser that mails have. */
export function languageOf(acceptLanguage: string | undefined): MailLanguage | null {
  const wanted = parseAcceptLanguage(acceptLanguage);
  return wanted.flatMap((tag) => MAIL_LANGUAGES.find((known) => known === tag) ?? [])[0] ?? null;
}

const ofLink = {
  path: '/mail/unsubscribe',
  tag: 'Notifications',
  params: nothing,
  query: Type.Object(
    {
      token: Type.String({
        minLength: 1,
        maxLength: LIMITS.idLength,
        description: 'The token of the link in a mail.',
      }),
    },
    closed,
  ),
  status: 200,
  result: Type.String(),
  givesFile: ['text/html'],
  errors: ['validation_failed', 'record_not_found'],
} as const;

export const showUnsubscribe = defineOpenRoute({
  ...ofLink,
  errors: [...ofLink.errors],
  method: 'GET',
  operationId: 'showUnsubscribe',
  summary: 'Ask whether mails shall end',
  description: 'For browsers: the page behind the link in a mail. It changes nothing.',
  async handle({ query, acceptLanguage }, { db }) {
    const name = await readUnsubscribeLink(db, query.token);
    return pageReply(askPage(languageOf(acceptLanguage) ?? 'en', name));
  },
});

export const unsubscribeFromMail = defineOpenRoute({
  ...ofLink,
  errors: [...ofLink.errors],
  method: 'POST',
  operationId: 'unsubscribeFromMail',
  summary: 'End mails to a person',
  description:
    'The one-click request of mail programs (RFC 8058). Sets `mail` of the person to `off`.',
  async handle({ query, acceptLanguage }, { db }) {
    const name = await unsubscribe(db, query.token);
    return pageReply(donePage(languageOf(acceptLanguage) ?? 'en', name));
  },
});

function pageReply(html: string): Reply {
  return {
    body: html,
    text: html,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': CONTENT_POLICY,
      'Referrer-Policy': 'no-referrer',
    },
  };
}

const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
