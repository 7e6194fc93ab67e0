// The kinds of notifications, and how people want to hear of them. Pure.

export const NOTIFICATION_KINDS = [
  'mention',
  'comment',
  'assignment',
  'due',
  'approval_requested',
  'request_decided',
  'webhook_failed',
  'job_failed',
] as const;

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** When unread notifications are sent by mail: never, after 5 minutes, at the full hour, at 8 in the morning. */
export const MAIL_TIMES = ['off', 'at_once', 'hourly', 'daily'] as const;

export type MailTime = (typeof MAIL_TIMES)[number];

/** The languages of mails. */
export const MAIL_LANGUAGES = ['en', 'de'] as const;

export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** How a person wants to hear of notifications. */
export interface NotificationSettings {
  readonly mail: MailTime;
  /** Kinds that are left out of the list. */
  readonly list_off: readonly NotificationKind[];
  /** Kinds that are not sent by mail. */
  readonly mail_off: readonly NotificationKind[];
  /** Null: not chosen. */
  readonly language: MailLanguage | null;
  /** The time zone for due dates and daily mails. */
  readonly time_zone: string;
}

export const DEFAULT_SETTINGS: NotificationSettings = Object.freeze({
  mail: 'at_once',
  list_off: [],
  mail_off: [],
  language: null,
  time_zone: 'UTC',
});
