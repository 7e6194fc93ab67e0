#!/usr/bin/env bash
# One would believe: a library for one-time codes takes the secret as authenticator apps show it, in base32, and its check
# of a right code is true.
# True: speakeasy 2.0.0 reads the secret as ASCII text unless `encoding: 'base32'` is named, and makes codes that no app
# shows, without an error; `validate` of otpauth 9.5.0 answers the distance in steps, which is 0, so false in a condition,
# for the code of now, -1 for the one before, and null for a wrong one.
# A records service should compare its codes with the vectors of RFC 6238 and with another program (`oathtool`), and test the
# code of the present step, not only one of a neighbouring step.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{}' >package.json
npm install --silent --no-audit --no-fund speakeasy@2.0.0 otpauth@9.5.0
cat >codes.js <<'JS'
const { TOTP, Secret } = require('otpauth');
const speakeasy = require('speakeasy');
// RFC 6238, appendix B: at second 59 the code is 287082.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const plain = speakeasy.totp({ secret, time: 59 });
const named = speakeasy.totp({ secret, time: 59, encoding: 'base32' });
const totp = new TOTP({ secret: Secret.fromBase32(secret) });
const at = (timestamp) => totp.validate({ token: '287082', timestamp });
console.log(JSON.stringify([plain, named, at(59_000), at(89_000), at(900_000)]));
JS
seen=$(node codes.js)
echo "speakeasy 2.0.0, otpauth 9.5.0: $seen"
[ "$seen" = '["372946","287082",0,-1,null]' ]
