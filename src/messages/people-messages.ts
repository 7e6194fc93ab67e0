// Messages about people, keys, sessions and sign-in.

export const peopleMessages = {
  not_an_id: 'must be an id',
  activity_of_others: 'Only administrators can read the activity of others.',
  mail_not_configured: 'This service sends no mail.',
  credentials_or_token:
    'Send workspace, email and password, a token alone, or a challenge with one factor.',
  factor_grace_used:
    'Your role requires a second factor, and your one sign-in to set it up is used. Ask an administrator to reset it.',
  factor_code_wrong: 'The code is wrong. Check the time of the device, and send the present code.',
  factor_code_not_begun: 'There is no secret that waits for a code. Begin again.',
  factor_not_set_up: 'The person has no such second factor.',
  factor_is_last:
    'Your role requires a second factor. Set up another one before you remove this one.',
  factor_nothing_to_reset: 'The person has no second factor.',
  passkey_refused: 'The answer of the device does not fit. Begin again.',
  passkey_known: 'This passkey is known already.',
  passkey_not_found: 'There is no such passkey.',
  passkeys_need_name: 'Passkeys need a host with a name, not an address.',
  too_many_passkeys: 'A person can have at most {most} passkeys.',
  hours_of_invitation_only:
    'A link to sign in with is valid for 30 minutes; only an invitation has hours.',
  not_a_page: 'This is no path of a page of the workspace, such as /{workspace}/o/deals.',
  sign_in_not_under_way: 'This browser has no such sign-in under way. Sign in again.',
  viewing_needs_session: 'Only a session can view as a person, not an API key.',
  session_ended: 'The session has ended. Sign in again.',
  session_not_found: 'There is no such session.',
  too_many_keys:
    'A person can have at most {most} keys, including those created within the last hour.',
  key_revoked: 'The key is revoked.',
  no_active_user_with_id: 'There is no active user with this id.',
  key_not_found: 'There is no such key.',
  oauth_parameter_once: 'The program must send {name} once.',
  oauth_redirect_unknown:
    'The program asks to return to an address that it has not registered. Nothing was sent there.',
  oauth_client_unknown: 'This program is not registered here. Connect it again in the program.',
  oauth_client_unusable:
    'The service cannot read what this program says about itself at its address, or it is not valid.',
  oauth_client_off: 'An administrator has switched off this program for the workspace.',
  oauth_client_changed:
    'What this program says about itself has changed. Check it again, then decide.',
  oauth_request_refused: 'The request of the program is not valid: {reason}',
  oauth_nothing_given: 'Give the program at least one right.',
  oauth_redirects_invalid:
    'must be 1 to {most} addresses of https, of http on a loopback address, or of a scheme of a program',
  too_many_clients: 'A workspace can have at most {most} programs.',
  too_many_links: 'Too many links have been asked for. Try again later.',
  sign_in_inactive: 'Only an active person can sign in.',
  link_not_found: 'There is no such link that can be used.',
  provider_refused: 'The identity provider did not confirm your identity. Sign in again.',
  provider_claims_unusable:
    'The identity provider sent an identity that cannot be stored. Tell your administrator.',
  provider_email_missing:
    'The identity provider sent no e-mail address for you. Ask your administrator to add it there.',
  provider_email_not_verified:
    'The identity provider says that your e-mail address is not verified. Verify it there, then sign in again.',
  provider_verification_missing:
    'The identity provider does not say whether your e-mail address is verified. Tell your administrator.',
  provider_factor_missing:
    'The identity provider did not ask for the second factor that this service requires. Tell your administrator.',
  password_current_missing: 'Send the current password as well.',
  password_current_wrong: 'The current password is wrong.',
  password_length: 'The password must have {least} to {most} characters.',
  password_is_email: 'The password must not be the e-mail address.',
  password_common: 'This password is too common. Choose another one.',
  email_taken: 'Another person already has this address.',
  team_name_taken: 'A team with this name already exists.',
  last_administrator:
    'The workspace needs an active administrator. Make another person an administrator first.',
  team_not_found: 'There is no such team.',
  too_many_sign_ins: 'Too many attempts to sign in have failed. Try again later.',
  unsubscribe_link_invalid: 'This link is not valid.',
  viewing_own: 'You already see what you may see.',
  viewing_inactive: 'An inactive person cannot see anything.',
  view_as_malformed: 'X-View-As is the id of a person, as a whole number.',
  session_or_key: 'Send a session or an API key, not both.',
  sessions_ambiguous:
    'There are sessions of several workspaces: name one by its slug in X-Workspace.',
  session_of_workspace_missing: 'There is no session of this workspace.',
  sessions_need_https:
    'Sessions need https. ALLOW_INSECURE_SESSIONS=on allows them over plain http.',
  cookies_ambiguous: 'The cookies are ambiguous.',
  scope_missing: 'The API key lacks the scope {scope}.',
  only_administrators: 'Only an administrator may do this.',
  only_developers_have_keys: 'Only a person with developer access may have API keys.',
  key_scope_not_given: 'A key cannot give the scope {scope}, which it lacks.',
  key_life_not_given: 'A key cannot give a longer life than its own.',
  key_gates_not_given: 'A key that does not pass gates cannot create one that does.',
  rate_not_given: 'No more can be given than {most}.',
  key_end_not_later: 'A key can only be made to end earlier. Make a new one.',
  must_be_future: 'The value must be a time in the future.',
  approver_in_workflow: 'The workflow {workflow} names "{name}" as approver. Change it first.',
  only_in_session: '{what} only in a session, not with an API key.',
} as const;
