// Erasing records for good, and everything about a record as a file.

export const erasure = {
  'erasure.open': 'Erase without a trace…',
  'erasure.openOne': 'Erase without a trace: {name}',
  'erasure.title': 'Erase “{name}” without a trace?',
  'erasure.text':
    'The record and everything that the service has of it are removed. This cannot be undone. Recent files of imports and exports of the workspace are removed too, because they may have its values.',
  'erasure.counting': 'Counting…',
  'erasure.nothing': 'No traces were found.',
  'erasure.files': 'Files',
  'erasure.submit': 'Erase without a trace',
  'erasure.left':
    'Backups and archived logs of the database are not changed. The audit log keeps the id.',
  'erasure.place.records': { one: '{count} record', other: '{count} records' },
  'erasure.place.trash': { one: '{count} deleted record', other: '{count} deleted records' },
  'erasure.place.history': { one: '{count} earlier value', other: '{count} earlier values' },
  'erasure.place.comments': { one: '{count} comment', other: '{count} comments' },
  'erasure.place.attachments': {
    one: '{count} file of the record',
    other: '{count} files of the record',
  },
  'erasure.place.links': { one: '{count} link', other: '{count} links' },
  'erasure.place.requests': {
    one: '{count} request for approval',
    other: '{count} requests for approval',
  },
  'erasure.place.answers': { one: '{count} stored response', other: '{count} stored responses' },
  'erasure.place.deliveries': {
    one: '{count} response of a webhook receiver',
    other: '{count} responses of webhook receivers',
  },
  'erasure.place.search': { one: '{count} search entry', other: '{count} search entries' },
  'erasure.place.refusals': {
    one: '{count} refusal of a bulk change',
    other: '{count} refusals of bulk changes',
  },
  'erasure.place.files': {
    one: '{count} file of an import or export',
    other: '{count} files of imports and exports',
  },
  'erasure.place.rejected': {
    one: '{count} rejected row of an import',
    other: '{count} rejected rows of imports',
  },
  'erasure.place.jobs': {
    one: '{count} request of a finished job',
    other: '{count} requests of finished jobs',
  },
  'erasure.place.words': { one: '{count} search word', other: '{count} search words' },
  'bundle.download': 'Download everything about it',
  'bundle.incomplete': 'The file has only the first entries of long lists.',
} as const;
