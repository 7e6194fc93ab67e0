// Files of records.

export const files = {
  'file.choose': 'Add a file',
  'file.drop': 'or drop it here',
  'file.sending': 'Sending {name}',
  'file.remove': 'Remove {name}',
  'file.download': 'Download {name}',
  'file.failed': 'The file could not be fetched or sent. Try again.',
  'file.noText': 'Files are uploaded, not typed or pasted.',
  'file.changed': 'Somebody else has changed the files meanwhile. Try again.',
  'type.file': 'File',
  'type.fileExample': 'A contract, a picture',
  'fields.multipleFiles': 'Several files',
  'fields.multipleFilesText': 'Up to 20; otherwise one.',
  'fields.fileTypes': 'Allowed types',
  'fields.fileTypesText':
    'Media types with commas between them, such as application/pdf, image/*. Empty: all.',
  'fields.fileSize': 'Largest file in MB',
} as const;
