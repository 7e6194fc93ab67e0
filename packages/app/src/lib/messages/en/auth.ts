// Signing in.

export const auth = {
  'signIn.title': 'Sign in to {workspace}',
  'signIn.email': 'E-mail address',
  'signIn.password': 'Password',
  'signIn.showPassword': 'Show password',
  'signIn.submit': 'Sign in',
  'signIn.with': 'Continue with {name}',
  'signIn.wrong': 'The e-mail address or the password is wrong.',
  'signIn.locked': 'Too many attempts. Try again in {time}.',
  'signIn.unlocked': 'You can try again now.',
  'signIn.insecure':
    'You cannot sign in because the connection is not encrypted. Open this page with https.',
  'signIn.mailMe': 'Mail me a link',
  'signIn.mailText': 'You get a link that signs you in once, for 30 minutes.',
  'signIn.mailSend': 'Send the link',
  'signIn.mailed': 'If {email} belongs to a person here, a mail is on its way.',
  'signIn.forgotten':
    'You cannot sign in? An administrator can send you a one-time link and reset the second step.',
  'link.checking': 'Signing in…',
  'link.welcome': 'Welcome, {name}',
  'link.password': 'You are signed in. Set a password to sign in without a link next time.',
  'link.later': 'Not now',
  'link.refused': 'This link is not valid',
  'link.expired':
    'It was used already, it has expired, or there is a newer one. Ask an administrator for a new one.',
  'link.otherWay': 'Sign in another way',
  'link.present': 'You are already signed in',
  'link.presentText':
    'You are signed in as {name}. The link signs in the person it was created for.',
  'link.use': 'Use the link',
  'link.stay': 'Stay signed in as {name}',
  'other.title': 'Another person has signed in',
  'other.text':
    '{name} has signed in in this browser. Changes in this tab would be saved as {name}.',
  'other.continue': 'Continue as {name}',
  'again.endedTitle': 'Sign in again',
  'again.freshTitle': 'Confirm your identity',
  'again.ended': 'Your session has ended. Sign in to continue.',
  'again.kept': {
    one: 'One unsaved change is kept in this browser.',
    other: '{count} unsaved changes are kept in this browser.',
  },
  'again.fresh': 'Your last sign-in is more than 30 minutes ago. Sign in to continue.',
  'again.elsewhere': 'Or sign in in another tab, then continue here.',
  'again.notYet': 'You are not signed in yet.',
  'again.look': 'Continue',
  'again.close': 'Close',
  'choose.title': 'Workspace Records',
  'choose.text': 'Which workspace do you want to open?',
  'choose.workspace': 'Workspace',
  'choose.form': 'Lower-case letters, digits and hyphens',
  'choose.go': 'Continue',
  'password.current': 'Current password',
  'password.new': 'New password',
  'password.rule': 'At least {count} characters, for example a sentence.',
  'password.set': 'Set password',
  'password.wrong': 'The current password is wrong.',
  'refused.unknown':
    'The provider did not confirm your identity, or no person here has your address. Try again, or ask an administrator.',
  'refused.emailMissing':
    'The identity provider sent no e-mail address for you. Ask the administrator of the identity provider to add it to your account, or sign in another way.',
  'refused.emailNotVerified':
    'The identity provider says that your e-mail address is not verified. Verify it there, or ask the administrator of the identity provider, and sign in again.',
  'refused.noFactor':
    'The identity provider did not ask for the second step that this service requires. Tell your administrator.',
  'refused.emailSilent':
    'The identity provider does not say whether your e-mail address is verified. Ask the operator of this service to set OIDC_…_TRUST_EMAIL, or sign in another way.',
  'refused.claims':
    'The identity provider sent an identity that this service cannot store. Tell your administrator, or sign in another way.',
  'refused.notConfirmed':
    'The identity provider did not confirm your identity. Try again. If this happens again, tell your administrator.',
  'refused.over': 'This sign-in took too long, or it was started in another browser. Try again.',
  'refused.tooMany': 'Too many attempts. Try again in 15 minutes.',
  'refused.provider':
    'The provider cannot be reached at the moment. Try again, or sign in another way.',
} as const;
