// Profile, sessions, keys.

export const settings = {
  'settings.label': 'Settings',
  'profile.title': 'Profile',
  'profile.keywords': 'password language theme account',
  'profile.who': 'About you',
  'profile.whoText': 'Names and addresses are kept by administrators.',
  'profile.name': 'Name',
  'profile.email': 'E-mail address',
  'profile.role': 'Title',
  'profile.workspace': 'Workspace',
  'profile.look': 'Appearance',
  'profile.lookText': 'For this browser.',
  'profile.theme': 'Theme',
  'profile.language': 'Language',
  'profile.password': 'Password',
  'profile.passwordText':
    'Setting a new one ends all your other sessions. Leave the current one empty if you have none.',
  'profile.passwordByLink':
    'You signed in by a link, so a new password can be set without the old one.',
  'profile.passwordSet': {
    one: 'The password is set. One other session has ended.',
    other: 'The password is set. {count} other sessions have ended.',
  },
  'sessions.title': 'Sessions',
  'sessions.text':
    'Browsers you are signed in with. A session ends after 14 days without use, and at last after 90.',
  'sessions.this': 'This one',
  'sessions.byPassword': 'By password',
  'sessions.byLink': 'By one-time link',
  'sessions.byProvider': 'By identity provider',
  'sessions.times': 'Since {begun}, used {used}, ends {ends}',
  'sessions.end': 'End',
  'sessions.endOthers': 'End all others',
  'sessions.ended': { one: 'One session has ended.', other: '{count} sessions have ended.' },
  'keys.title': 'API keys',
  'keys.keywords': 'developer token secret',
} as const;
