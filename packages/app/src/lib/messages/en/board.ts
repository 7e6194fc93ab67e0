// The board, and moves of records from one status to another.

export const board = {
  'move.here': 'It is here.',
  'move.foreign': 'Not a status of its workflow.',
  'move.unlisted': 'There is no way here from “{from}”.',
  'move.approval': 'Needs the approval of somebody else.',
  'move.approvalBy': 'Needs the approval of {names}.',
  'move.team': 'the team {name}',
  'move.yours': 'Needs approval, which you give by it.',
  'move.meanwhile': 'Somebody has moved it to “{status}” meanwhile. It was not moved again.',
} as const;
