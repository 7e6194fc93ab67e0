// The bucket of the configuration, `FILES_S3_*`: where it is, and who the service is there. files/bucket-store.ts sends
// the requests to it.

import { operatorError } from './errors.ts';

export interface BucketSettings {
  /** The address of the server, without the bucket: `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The prefix of the keys of all files; empty, or with `/` at its end. */
  readonly prefix: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:\w[\w.-]*\/)*$/;

/** Undefined without an endpoint. Errors: operator errors of one line. */
export function readBucketSettings(environment: Environment): BucketSettings | undefined {
  const text = (name: string) => environment[`FILES_S3_${name}`]?.trim() || undefined;
  const endpoint = text('ENDPOINT');
  if (endpoint === undefined) return undefined;
  const required = (name: string) => {
    const value = text(name);
    if (value !== undefined) return value;
    throw operatorError(`FILES_S3_ENDPOINT needs FILES_S3_${name} as well.`);
  };
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw operatorError(`FILES_S3_ENDPOINT must be an http or https address, not "${endpoint}".`);
  }
  const [bucket, prefix] = [required('BUCKET'), text('PREFIX') ?? ''];
  if (!BUCKET.test(bucket)) {
    throw operatorError(`FILES_S3_BUCKET must be the name of a bucket, not "${bucket}".`);
  }
  if (!PREFIX.test(prefix)) {
    throw operatorError(`FILES_S3_PREFIX must be like "records/", not "${prefix}".`);
  }
  return Object.freeze({
    endpoint: endpoint.replace(/\/+$/, ''),
    ...{ bucket, prefix, region: text('REGION') ?? 'us-east-1' },
    accessKeyId: required('ACCESS_KEY_ID'),
    secretAccessKey: required('SECRET_ACCESS_KEY'),
  });
}
