// How the key's user wants to hear of notifications, over HTTP. Parsing and presenting only; the statements are in
// control/people/notification-settings.ts.

import Type from 'typebox';
import {
  loadSettingsOf,
  putSettings,
  type Switched,
} from '../../control/people/notification-settings.ts';
import {
  MAIL_LANGUAGES,
  MAIL_TIMES,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationSettings,
} from '../../model/rights/notification-kinds.ts';
import { requireTimeZone } from '../../plan/read/question.ts';
import { defineRoute } from '../context.ts';
import { TimeZone } from '../read/question-shapes.ts';
import { closed, nullable, responseOf } from '../shapes.ts';

const nothing = Type.Object({}, closed);

const inList = Type.Boolean({ description: 'True: in the list and the stream of events.' });
const byMail = Type.Boolean({ description: 'By mail, where the service sends mail.' });

const chosen = {
  mail: Type.Enum([...MAIL_TIMES], {
    description: [
      'When unread notifications are sent by mail: `at_once` after 5 minutes, `hourly` at the full hour, `daily` at 8',
      'in the morning.',
    ].join(' '),
  }),
  language: nullable(
    Type.Enum([...MAIL_LANGUAGES], { description: 'The language of mails; null: English.' }),
  ),
  time_zone: Type.String({
    ...TimeZone,
    description: 'The time zone of due dates and daily mails.',
  }),
};

const Settings = Type.Object(
  {
    ...chosen,
    kinds: Type.Object(
      Object.fromEntries(
        NOTIFICATION_KINDS.map((kind) => [kind, Type.Object({ list: inList, mail: byMail })]),
      ),
    ),
    sends_mail: Type.Boolean({ description: 'True when the service sends mail.' }),
  },
  { $id: 'NotificationSettings' },
);

const ofMe = {
  path: '/me/notification_settings',
  tag: 'Notifications',
  params: nothing,
  query: nothing,
  status: 200,
  result: responseOf(Settings),
} as const;

export const getNotificationSettings = defineRoute({
  ...ofMe,
  method: 'GET',
  operationId: 'getNotificationSettings',
  summary: 'Get your notification settings',
  description: 'Which kinds of notifications are listed and sent by mail, and when.',
  scope: 'comments:read',
  errors: [],
  async handle({ caller, model }, { db, config }) {
    const settings = await loadSettingsOf(db, model.schema, caller.user.id);
    return { body: { data: present(settings, config.mail !== undefined) } };
  },
});

const KindPatch = Type.Object({ list: Type.Optional(inList), mail: Type.Optional(byMail) }, closed);

export const updateNotificationSettings = defineRoute({
  ...ofMe,
  method: 'PATCH',
  operationId: 'updateNotificationSettings',
  summary: 'Change your notification settings',
  description: 'Settings that are left out stay as they are.',
  scope: 'comments:write',
  body: Type.Object(
    {
      mail: Type.Optional(chosen.mail),
      language: Type.Optional(chosen.language),
      time_zone: Type.Optional(chosen.time_zone),
      kinds: Type.Optional(
        Type.Object(
          Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, Type.Optional(KindPatch)])),
          closed,
        ),
      ),
    },
    closed,
  ),
  errors: ['validation_failed'],
  async handle({ caller, model, body }, { db, config }) {
    const { kinds = {}, ...patch } = body;
    if (patch.time_zone !== undefined) requireTimeZone(patch.time_zone, 'time_zone');
    const settings = await putSettings(db, model.schema, caller.user.id, {
      ...patch,
      list: switchedBy(kinds, 'list'),
      by_mail: switchedBy(kinds, 'mail'),
    });
    return { body: { data: present(settings, config.mail !== undefined) } };
  },
});

type Kinds = Readonly<
  Record<string, { readonly list?: boolean; readonly mail?: boolean } | undefined>
>;

function switchedBy(kinds: Kinds, where: 'list' | 'mail'): Switched {
  const turned = (to: boolean) =>
    NOTIFICATION_KINDS.filter((kind: NotificationKind) => kinds[kind]?.[where] === to);
  return { off: turned(false), on: turned(true) };
}

function present(settings: NotificationSettings, sends_mail: boolean) {
  const { mail, language, time_zone, list_off, mail_off } = settings;
  const kinds = Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => [
      kind,
      { list: !list_off.includes(kind), mail: !mail_off.includes(kind) },
    ]),
  );
  return { mail, language, time_zone, kinds, sends_mail };
}
