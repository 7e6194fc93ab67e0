// Agents and other programs; loaded with the code that says them (lib/agent-texts.ts).

export const agents = {
  'agent.connect': 'Connect an agent',
  'agent.text':
    'An agent, such as an AI assistant, works here through MCP, a protocol for such programs, with a key of its own. It sees what the owner of the key sees. Moves that need approval stay with people.',
  'agent.nameText': 'The agent that uses the key. The key expires after {days} days.',
  'agent.rights': 'The agent may',
  'agent.read': 'Read only',
  'agent.write': 'Read, create, change and comment',
  'agent.which': 'Configuration for',
  'agent.inTerminal': 'In a terminal',
  'agent.inFile': 'In the file {file}',
  'agent.variable':
    'Put the secret in the variable AGENT_KEY, where the agent asks for it, or in place of “…”.',
  'agent.copy': 'Copy configuration',
  'audit.byMcp': 'agent by MCP',
  'consent.title': 'Connect a program',
  'consent.thisComputer': 'A program on this computer',
  'consent.calledByAddress': 'It calls itself “{name}”.',
  'consent.calledByItself':
    'It calls itself “{name}”. Nobody has verified this name: continue only if you have just connected it yourself.',
  'consent.calledByAdministrator': '“{name}”, entered by an administrator.',
  'consent.returnsTo': 'It gets the answer at: {place}',
  'consent.asYou':
    'It wants to work in {workspace} as you ({person}), and never sees more than you.',
  'consent.may': 'It may:',
  'consent.write': 'It may also change data:',
  'consent.never':
    'It never approves anything, and moves that need approval stay with people. You can revoke its access under API keys at any time.',
  'consent.give': 'Give access',
  'consent.decline': 'Decline',
  'consent.given': 'The program has access. Continue there.',
  'consent.refused': 'The request of the program is not valid, so it cannot get access: {reason}',
  'consent.back': 'Back to the program',
  'programs.title': 'Programs',
  'programs.text':
    'Programs of others to which people have given access. Switching one off ends all of its access at once.',
  'programs.none': 'No other program has access.',
  'programs.off': 'This service gives access by keys only: OAUTH is off.',
  'programs.grants': { one: 'Access given once', other: 'Access given {count} times' },
  'programs.switchedOff': 'Switched off',
  'programs.switchOff': 'Switch off',
  'programs.switchOn': 'Switch on',
  'programs.switchOffNamed': 'Switch off {name}',
  'programs.switchOnNamed': 'Switch on {name}',
  'keys.ofFeed': 'Calendar feed',
  'keys.ofProgram': 'Access of {client}',
  'keys.ofSomeProgram': 'Access of a program',
} as const;
