// Runs before each test file, because the files of a project share processes: what one has replaced or
// remembered is not there for the next.

import { vi } from 'vitest';
import { forgetKeys } from './access/canary.ts';
import { forgetServers } from './client.ts';

vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();
forgetKeys();
forgetServers();
