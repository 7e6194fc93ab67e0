// Other keys for entries of the data model: what they keep, and what clients notice.

export const renames = {
  'rename.change': 'Change key…',
  'rename.title': 'Change the key of {name}',
  'rename.now': 'Change key',
  'rename.objectKeeps': 'Records, links, rights, views and webhooks stay.',
  'rename.objectNotice':
    'Programs must use the new key: requests with the old one are refused, and answers and events have the new one. The audit keeps the old one.',
  'rename.fieldKeeps': 'Values, rights, views and webhooks stay.',
  'rename.fieldNotice':
    'Programs must use the new key: requests with the old one are refused, and answers and events have the new one. Files and saved mappings of imports name it too.',
  'rename.relationshipKeeps': 'Links stay.',
  'rename.relationshipNotice': 'Programs must use the new key to read and change links.',
  'rename.statusKeeps': 'Records stay in this status. Views and webhooks that name it follow.',
  'rename.statusNotice':
    'Programs must use the new key: records, answers and events have it from then on.',
  'rename.roleKeeps': 'People keep the role with its rights.',
  'rename.roleNotice': 'Programs that give the role must use the new key.',
} as const;
