// Passwords by scrypt (RFC 7914): made, compared, and made again when the parameters have changed. Each takes
// 32 MiB and a processor for a while, so few are computed at once and few may wait.

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { ScryptParameters, StoredPassword } from '../../control/people/passwords.ts';
import { limitConcurrency } from '../../control/process/limit-concurrency.ts';

export interface PasswordHasher {
  /** Errors: `service_unavailable` when too many wait. */
  make(password: string): Promise<StoredPassword>;
  /** False without a stored one, after the same work. Errors: `service_unavailable`. */
  matches(password: string, stored: StoredPassword | undefined): Promise<boolean>;
  /** True for one that was made with other parameters than those of today. */
  isOutdated(stored: StoredPassword): boolean;
}

export interface HasherOptions {
  readonly parameters?: ScryptParameters;
  /** The number that are computed at once, and the number that may wait. */
  readonly atOnce?: number;
  readonly waiting?: number;
  readonly compute?: Compute;
}

type Compute = (
  password: Buffer,
  salt: Buffer,
  length: number,
  options: ScryptOptions,
) => Promise<Buffer>;

/** OWASP Password Storage Cheat Sheet: as strong as N=2^17 with p=1, with a quarter of the memory. */
const PARAMETERS: ScryptParameters = Object.freeze({ N: 2 ** 15, r: 8, p: 3 });
const HASH_BYTES = 32;
const SALT_BYTES = 16;

export function openPasswordHasher(options: HasherOptions = {}): PasswordHasher {
  const { parameters = PARAMETERS, compute = computeScrypt } = options;
  const inTurn = limitConcurrency(options.atOnce ?? 2, options.waiting ?? 30);
  // A hash without a known password.
  const dummy = {
    hash: randomBytes(HASH_BYTES),
    salt: randomBytes(SALT_BYTES),
    parameters,
  };
  const hashOf = (password: string, salt: Buffer, { N, r, p }: ScryptParameters) =>
    inTurn(() => {
      // Equal characters may come composed or not (NIST SP 800-63B §5.1.1.2).
      const bytes = Buffer.from(password.normalize('NFKC'));
      const maxmem = 2 * 128 * N * r + 128 * r * p;
      return compute(bytes, salt, HASH_BYTES, { N, r, p, maxmem });
    });
  return {
    async make(password) {
      const salt = randomBytes(SALT_BYTES);
      return { hash: await hashOf(password, salt, parameters), salt, parameters };
    },
    async matches(password, stored) {
      const { hash, salt, parameters: used } = stored ?? dummy;
      const isEqual = timingSafeEqual(await hashOf(password, salt, used), hash);
      return isEqual && stored !== undefined;
    },
    isOutdated: ({ parameters: { N, r, p } }) =>
      N !== parameters.N || r !== parameters.r || p !== parameters.p,
  };
}

const computeScrypt: Compute = (password, salt, length, options) =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
