// Connecting an agent.

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
} as const;
