// Filters and order of lists, and how they are shown.

export const filters = {
  'layout.label': 'Show as',
  'layout.table': 'Table',
  'layout.board': 'Board',
} as const;
