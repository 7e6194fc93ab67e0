// The demo load as a process of its own, to be killed.

import { connect } from '../src/cli/connect.ts';
import { loadDemo } from '../src/cli/demo.ts';

const connected = await connect({ purpose: 'service' });
await loadDemo(connected);
await connected.close();
