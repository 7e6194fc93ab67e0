// The list as a grid: cells, selected rows, copying and pasting, columns; and what is taken back anywhere.

export const grid = {
  'undo.nothing': 'There is nothing to take back.',
  'undo.done': 'Taken back: {text}',
  'undo.failed': 'Not taken back: {text} {reason}',
  'grid.changed': '{field} of {name} was changed.',
  'grid.chooseRow': 'Choose {name}',
  'grid.chooseAll': 'Choose all rows that are loaded',
} as const;
