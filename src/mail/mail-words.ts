// The words of mails, in English and German.

import type { MailLanguage, NotificationKind } from '../model/rights/notification-kinds.ts';

/** `who`: the name of a person; `record`: the display name of a record. */
export interface Facts {
  readonly who: string;
  readonly record: string;
  /** True when the status request was approved. */
  readonly isApproved: boolean;
}

export interface MailWords {
  readonly kinds: Readonly<Record<NotificationKind, (facts: Facts) => string>>;
  readonly someone: string;
  readonly unnamed: string;
  readonly many: (count: number, workspace: string) => string;
  readonly more: (count: number) => string;
  readonly intro: (workspace: string) => string;
  readonly openAll: string;
  readonly settings: string;
  readonly unsubscribe: string;
  readonly invited: (workspace: string) => string;
  readonly invitation: (workspace: string) => string;
  readonly signIn: (workspace: string) => string;
  readonly signInText: (workspace: string) => string;
  readonly signInButton: string;
  readonly once: (hours: number | null) => string;
  readonly later: string;
  readonly unasked: string;
  readonly factorResetSubject: (workspace: string) => string;
  readonly factorReset: (workspace: string) => string;
}

const EN: MailWords = {
  kinds: {
    mention: ({ who, record }) => `${who} mentioned you: ${record}`,
    comment: ({ who, record }) => `${who} commented: ${record}`,
    assignment: ({ who, record }) => `${who} assigned to you: ${record}`,
    due: ({ record }) => `Due today: ${record}`,
    approval_requested: ({ who, record }) => `${who} asks for your approval: ${record}`,
    request_decided: ({ who, record, isApproved }) =>
      `${who} ${isApproved ? 'approved' : 'rejected'} your request: ${record}`,
    webhook_failed: () => 'A webhook of yours is failing or was stopped',
    job_failed: () => 'A job that you started has failed',
  },
  someone: 'Someone',
  unnamed: 'a record without a name',
  many: (count, workspace) => `${count} notifications in ${workspace}`,
  more: (count) => (count === 1 ? 'One more notification' : `${count} more notifications`),
  intro: (workspace) => `In ${workspace} since your last mail:`,
  openAll: 'Open all notifications',
  settings: 'Choose what is sent to you',
  unsubscribe: 'Stop these mails',
  invited: (workspace) => `You are invited to ${workspace}`,
  invitation: (workspace) => `You have been added to ${workspace}. Sign in to begin:`,
  signIn: (workspace) => `Sign in to ${workspace}`,
  signInText: (workspace) => `Here is the link to sign in to ${workspace}:`,
  signInButton: 'Sign in',
  once: (hours) =>
    `The link works once, for ${spanOf(hours, ['30 minutes', 'hour', 'hours', 'day', 'days'])}.`,
  later: 'Later you get a new link here:',
  unasked: 'If you did not ask for it, you can ignore this mail.',
  factorResetSubject: (workspace) => `Your two-step sign-in to ${workspace} was reset`,
  factorReset: (workspace) =>
    `An administrator has removed the codes and passkeys of your account in ${workspace}. ` +
    'If you did not ask for this, tell your administrator. You can set them up again in your profile.',
};

const DE: MailWords = {
  kinds: {
    mention: ({ who, record }) => `${who} hat Sie erwähnt: ${record}`,
    comment: ({ who, record }) => `${who} hat kommentiert: ${record}`,
    assignment: ({ who, record }) => `${who} hat Ihnen zugewiesen: ${record}`,
    due: ({ record }) => `Heute fällig: ${record}`,
    approval_requested: ({ who, record }) => `${who} bittet um Ihre Zustimmung: ${record}`,
    request_decided: ({ who, record, isApproved }) =>
      `${who} hat Ihre Anfrage ${isApproved ? 'genehmigt' : 'abgelehnt'}: ${record}`,
    webhook_failed: () => 'Einer Ihrer Webhooks schlägt fehl oder wurde angehalten',
    job_failed: () => 'Ein Auftrag, den Sie gestartet haben, ist fehlgeschlagen',
  },
  someone: 'Jemand',
  unnamed: 'ein Datensatz ohne Namen',
  many: (count, workspace) => `${count} Mitteilungen in ${workspace}`,
  more: (count) => (count === 1 ? 'Eine weitere Mitteilung' : `${count} weitere Mitteilungen`),
  intro: (workspace) => `In ${workspace} seit Ihrer letzten Mail:`,
  openAll: 'Alle Mitteilungen öffnen',
  settings: 'Auswählen, was Ihnen geschickt wird',
  unsubscribe: 'Diese Mails abbestellen',
  invited: (workspace) => `Sie sind zu ${workspace} eingeladen`,
  invitation: (workspace) => `Sie wurden zu ${workspace} hinzugefügt. Melden Sie sich an:`,
  signIn: (workspace) => `Anmelden bei ${workspace}`,
  signInText: (workspace) => `Hier ist der Link, mit dem Sie sich bei ${workspace} anmelden:`,
  signInButton: 'Anmelden',
  once: (hours) =>
    `Der Link gilt einmal und ${spanOf(hours, ['30 Minuten', 'Stunde', 'Stunden', 'Tag', 'Tage'])} lang.`,
  later: 'Später bekommen Sie hier einen neuen:',
  unasked: 'Wenn Sie ihn nicht angefordert haben, können Sie diese Mail ignorieren.',
  factorResetSubject: (workspace) =>
    `Ihre Anmeldung in zwei Schritten bei ${workspace} wurde zurückgesetzt`,
  factorReset: (workspace) =>
    `Die Administration hat die Codes und Passkeys Ihres Kontos in ${workspace} entfernt. ` +
    'Wenn Sie das nicht veranlasst haben, sagen Sie es ihr. In Ihrem Profil können Sie sie neu einrichten.',
};

export const MAIL_WORDS: Readonly<Record<MailLanguage, MailWords>> = Object.freeze({
  en: EN,
  de: DE,
});

type SpanWords = readonly [short: string, hour: string, hours: string, day: string, days: string];

/** `3 days`, `1 hour`; null is half an hour. */
function spanOf(hours: number | null, [short, hour, manyHours, day, manyDays]: SpanWords): string {
  if (hours === null) return short;
  const days = hours / 24;
  if (Number.isInteger(days)) return `${days} ${days === 1 ? day : manyDays}`;
  return `${hours} ${hours === 1 ? hour : manyHours}`;
}
