// A new record, and what belongs to one: links, comments, what was done, its end.

export const recordParts = {
  'palette.create': 'New',
  'create.new': 'New {name}',
  'create.keywords': 'create add make {name}',
  'create.close': 'Close',
  'create.required': 'Required',
  'create.kept': 'This is what you began earlier.',
  'create.anew': 'Start anew',
  'create.status': 'Starts as {name}',
  'create.another': 'Create another',
  'create.submit': 'Create',
  'create.keys': 'Ctrl Enter',
  'create.made': '“{name}” is created.',
  'create.taken': 'Show it',
  'rule.required': 'This is required.',
  'rule.short': 'At least {bound} characters.',
  'rule.long': 'At most {bound} characters.',
  'rule.small': 'At least {bound}.',
  'rule.large': 'At most {bound}.',
} as const;
