// Setting up, changing and removing the second factors of a person, in a session that has proved who it is: a fresh
// sign-in, or the one of grace. An administrator resets those of others.

import { uuidv7 } from 'uuidv7';
import { wantMail } from '../../control/events/mails.ts';
import {
  appendChallenge,
  endChallenges,
  loadChallenge,
  takeChallenge,
} from '../../control/people/factor-challenges.ts';
import {
  appendPasskey,
  deletePasskey,
  type ListedPasskey,
  loadPasskeys,
} from '../../control/people/passkey-rows.ts';
import type { Holder } from '../../control/people/passwords.ts';
import { loadMember } from '../../control/people/people.ts';
import {
  confirmSecret,
  deleteFactors,
  deleteSecret,
  type FactorRow,
  hasFactor,
  loadFactors,
  lockFactors,
  putPendingSecret,
  putRecoveryCodes,
} from '../../control/people/second-factors.ts';
import { endSessions, noteFactorGiven } from '../../control/people/session-rows.ts';
import { sealNoted } from '../../control/stored/sealed-rows.ts';
import {
  type AskedByCaller,
  administer,
  administrationOf,
  type Made,
} from '../../control/workspace/administer.ts';
import type { AdministrativeEvent } from '../../control/workspace/administrative-audit.ts';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import { requireAdministrator } from '../../model/rights/access.ts';
import type { MailLanguage } from '../../model/rights/notification-kinds.ts';
import {
  codeUri,
  makeCodeSecret,
  makeRecoveryCodes,
  recoveryHash,
  stepOfCode,
} from '../../model/rights/one-time-code.ts';
import { isFreshSignIn, sessionOf } from '../../model/rights/principal.ts';
import {
  LOST,
  openSecret,
  type SecretKeys,
  type SecretPlace,
} from '../../model/rights/sealed-secret.ts';
import type { Transaction } from '../../postgres/db.ts';
import { endEvent } from './end-sessions.ts';
import { creationOptions, mayHavePasskeys, type PasskeyPlace, readNewPasskey } from './passkeys.ts';

/** A change of the factors of the caller. */
export interface FactorChange extends AskedByCaller {
  readonly keys: SecretKeys;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly now: number;
}

/** The factors of the caller. */
export async function presentFactors({ db, model, caller }: AskedByCaller) {
  const holder = holderOf({ model, caller });
  const [row, passkeys] = [await loadFactors(db, holder), await loadPasskeys(db, holder)];
  const created_at = row?.code_created_at ?? null;
  return {
    required: caller.access.second_factor,
    code: created_at === null ? null : { created_at },
    recovery_codes: row?.recovery_codes ?? 0,
    passkeys: passkeys.map(({ credential_id: _, transports: __, ...shown }) => shown),
  };
}

/** A secret that counts once a code of it was sent. Errors: `fresh_sign_in_required`. */
export async function beginCode(asked: FactorChange) {
  const { model, caller, keys } = asked;
  const secret = makeCodeSecret();
  await changeFactors(asked, async (tx, row) => {
    const secretPlace = secretPlaceOf(asked, row);
    await putPendingSecret(tx, holderOf(asked), await sealNoted(tx, keys, secretPlace, secret));
    return { result: undefined, events: [factorEvent(caller.user.id, 'begin', 'code')] };
  });
  const uri = codeUri(secret, { issuer: model.workspace.name, user: caller.user.email ?? '' });
  const { renderSVG } = await import('uqr');
  return { secret, uri, qr_svg: renderSVG(uri, { border: 2 }) };
}

/** Errors: `fresh_sign_in_required`, `conflict` without a secret that waits, `validation_failed` for a wrong code. */
export function confirmCode(asked: FactorChange, code: string): Promise<readonly string[] | null> {
  const { caller, keys, now } = asked;
  return changeFactors(asked, async (tx, row) => {
    const sealed = row.pending_secret ?? LOST;
    if (sealed === LOST) throw refused('conflict', say('factor_code_not_begun'));
    const secretPlace = secretPlaceOf(asked, row);
    const step = stepOfCode(openSecret(keys, secretPlace, sealed), code, now);
    if (step === undefined) throw refused('validation_failed', say('factor_code_wrong'), 'code');
    await confirmSecret(tx, holderOf(asked), step);
    return withRecoveryCodes(tx, asked, row, factorEvent(caller.user.id, 'create', 'code'));
  });
}

/** Errors: `fresh_sign_in_required`, `record_not_found`, `conflict` for the last factor of a role that requires one. */
export function removeCode(asked: FactorChange): Promise<void> {
  return changeFactors(asked, async (tx) => {
    if (!(await deleteSecret(tx, holderOf(asked)))) {
      throw refused('record_not_found', say('factor_not_set_up'));
    }
    await dropIfLast(tx, asked);
    return { result: undefined, events: [factorEvent(asked.caller.user.id, 'delete', 'code')] };
  });
}

/** New recovery codes in place of the old ones. Errors: `fresh_sign_in_required`, `conflict` without a factor. */
export function renewRecoveryCodes(asked: FactorChange): Promise<readonly string[]> {
  return changeFactors(asked, async (tx, row) => {
    if (!hasFactor(row)) throw refused('conflict', say('factor_not_set_up'));
    const result = await makeCodes(tx, holderOf(asked));
    return { result, events: [factorEvent(asked.caller.user.id, 'update', 'recovery_codes')] };
  });
}

/** The options for a new passkey. Errors: `fresh_sign_in_required`, `conflict`. */
export async function beginPasskey(asked: FactorChange, place: PasskeyPlace) {
  const { model, caller } = asked;
  if (!mayHavePasskeys(place)) throw refused('conflict', say('passkeys_need_name'));
  const holder = holderOf(asked);
  return changeFactors(asked, async (tx, { handle }) => {
    const passkeys = await loadPasskeys(tx, holder);
    const most = LIMITS.passkeysOfUser;
    if (passkeys.length >= most) throw refused('conflict', say('too_many_passkeys', { most }));
    const { challenge } = await appendChallenge(tx, { ...holder, method: null });
    const about = { challenge, handle, person: caller.user, workspace: model.workspace.name };
    return { result: creationOptions(place, { ...about, passkeys }), events: [] };
  });
}

export interface NewPasskeyRequest {
  readonly challenge: string;
  readonly name: string;
  readonly credential: Parameters<typeof readNewPasskey>[2];
}

export interface AddedPasskey {
  readonly passkey: ListedPasskey;
  readonly recovery_codes: readonly string[] | null;
}

/** Errors: `fresh_sign_in_required`, `validation_failed` for an answer that does not fit, `conflict` for a known one. */
export async function addPasskey(
  asked: FactorChange,
  { challenge, name, credential }: NewPasskeyRequest,
  place: PasskeyPlace,
): Promise<AddedPasskey> {
  const holder = holderOf(asked);
  const row = await loadChallenge(asked.db, challenge);
  const isOwn = row?.workspace_id === holder.workspace_id && row.user_id === holder.user_id;
  const newCredential =
    isOwn && row.method === null ? await readNewPasskey(place, challenge, credential) : undefined;
  return changeFactors(asked, async (tx, factors) => {
    if (newCredential === undefined || !(await takeChallenge(tx, challenge))) {
      throw refused('validation_failed', say('passkey_refused'), 'credential');
    }
    const passkey = await appendPasskey(tx, holder, { ...newCredential, id: uuidv7(), name });
    if (passkey === undefined) throw refused('conflict', say('passkey_known'), 'credential');
    const added = factorEvent(asked.caller.user.id, 'create', 'passkey');
    const { result, events } = await withRecoveryCodes(tx, asked, factors, added);
    return { result: { passkey, recovery_codes: result }, events };
  });
}

/** Errors: `fresh_sign_in_required`, `record_not_found`, `conflict` for the last factor of a role that requires one. */
export function removePasskey(asked: FactorChange, id: string): Promise<void> {
  return changeFactors(asked, async (tx) => {
    if (!(await deletePasskey(tx, holderOf(asked), id))) {
      throw refused('record_not_found', say('passkey_not_found'), 'passkey_id');
    }
    await dropIfLast(tx, asked);
    return { result: undefined, events: [factorEvent(asked.caller.user.id, 'delete', 'passkey')] };
  });
}

export interface FactorReset {
  readonly user_id: number;
  /** The language of the mail for a person who has not chosen one; undefined: no mail is sent. */
  readonly mail: { readonly language: MailLanguage | null } | undefined;
}

/**
 * Remove the factors of another person, who may sign in once without one again. Errors: `permission_denied`,
 * `user_not_found`, `conflict` for oneself and for a person without factors.
 */
export function resetFactors(asked: AskedByCaller, { user_id, mail }: FactorReset): Promise<void> {
  const { model, caller } = asked;
  requireAdministrator(caller);
  const holder = { workspace_id: model.workspace.id, user_id };
  return administer(administrationOf(asked), async (tx) => {
    const person = await loadMember(tx, model.schema, user_id);
    if (person?.kind !== 'user') throw new ApiError('user_not_found', { param: 'user_id' });
    const events = user_id === caller.user.id ? [] : await clearFactors(tx, holder);
    if (events.length === 0) throw refused('conflict', say('factor_nothing_to_reset'), 'user_id');
    if (mail !== undefined) await wantMail(tx, { ...holder, kind: 'second_factor_reset', ...mail });
    return { result: undefined, events };
  });
}

/** Remove all factors of a person and end their sessions: somebody else may have opened them. No events: there was nothing. */
export async function clearFactors(
  tx: Transaction,
  holder: Holder,
): Promise<readonly AdministrativeEvent[]> {
  if (!(await deleteFactors(tx, holder))) return [];
  await endChallenges(tx, holder);
  const ended = await endSessions(tx, holder);
  return [...ended.map(endEvent), factorEvent(holder.user_id, 'reset')];
}

/** A change of the caller's factors, one at a time. Errors: `fresh_sign_in_required`. */
function changeFactors<Result>(
  asked: FactorChange,
  change: (tx: Transaction, row: FactorRow) => Promise<Made<Result>>,
): Promise<Result> {
  const session = sessionOf(asked.caller.principal);
  if (session === undefined) throw new Error('factors are changed in a session only');
  const isFresh = isFreshSignIn(session, asked.now);
  const isGrace = session.second_factor === 'grace' && session.isLimited;
  if (!isFresh && !isGrace) throw new ApiError('fresh_sign_in_required');
  return administer(administrationOf(asked), async (tx) => {
    await lockFactors(tx, holderOf(asked));
    const row = await loadFactors(tx, holderOf(asked));
    if (row === undefined) throw new Error('the factors that were locked are gone');
    // The session of grace, which can do nothing else, is there for the first factor (D902).
    if (!isFresh && hasFactor(row)) throw new ApiError('fresh_sign_in_required');
    return change(tx, row);
  });
}

/** After a new factor: the session has proved it, and with the first one come recovery codes. */
async function withRecoveryCodes(
  tx: Transaction,
  asked: FactorChange,
  { recovery_codes }: FactorRow,
  event: AdministrativeEvent,
): Promise<Made<readonly string[] | null>> {
  const session = sessionOf(asked.caller.principal);
  if (session !== undefined) await noteFactorGiven(tx, session.id);
  if (recovery_codes > 0) return { result: null, events: [event] };
  const result = await makeCodes(tx, holderOf(asked));
  return { result, events: [event, factorEvent(asked.caller.user.id, 'update', 'recovery_codes')] };
}

async function makeCodes(tx: Transaction, holder: Holder): Promise<readonly string[]> {
  const codes = makeRecoveryCodes();
  await putRecoveryCodes(tx, holder, codes.map(recoveryHash));
  return codes;
}

/** Recovery codes go with the last factor. Errors: `conflict` when a role requires one. */
async function dropIfLast(tx: Transaction, asked: FactorChange): Promise<void> {
  const holder = holderOf(asked);
  await endChallenges(tx, holder);
  if (hasFactor(await loadFactors(tx, holder))) return;
  if (asked.caller.access.second_factor) throw refused('conflict', say('factor_is_last'));
  await deleteFactors(tx, holder);
}

function secretPlaceOf({ model }: AskedByCaller, { handle }: FactorRow): SecretPlace {
  return { workspace_id: model.workspace.id, row: handle, use: 'code_secret' };
}

function holderOf({ model, caller }: Pick<AskedByCaller, 'model' | 'caller'>): Holder {
  return { workspace_id: model.workspace.id, user_id: caller.user.id };
}

/** An event about the factors of a person; `part`: the kind that was used or changed. */
export function factorEvent(userId: number, action: string, part?: string): AdministrativeEvent {
  const changed_fields = part === undefined ? [] : [part];
  return { subject_type: 'second_factor', subject_id: String(userId), action, changed_fields };
}

function refused(
  code: 'conflict' | 'validation_failed' | 'record_not_found',
  message: Message,
  param?: string,
): ApiError {
  return new ApiError(code, { message, ...(param === undefined ? {} : { param }) });
}
