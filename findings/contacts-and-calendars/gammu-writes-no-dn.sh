#!/usr/bin/env bash
# One would believe: each entry of an LDIF file begins with `dn:`, as RFC 2849 has it, so that a reader can know the file by it.
# True: Gammu, which reads the contacts of telephones, writes the entry of a contact that has a name, but not its parts (`N`), without
# `dn:`: it begins with `objectclass: top`.
# Seen in 1.42.0 (Debian 12).
# A service for records should know LDIF by that line as well.
set -euo pipefail
source "$(dirname "$0")/../debian-packages.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
debian_packages gammu=1.42.0-8
export PATH=$folder/packages/usr/bin:$PATH LD_LIBRARY_PATH=$folder/packages/usr/lib:$folder/packages/usr/lib/x86_64-linux-gnu
printf 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann Lee\r\nEMAIL:ann@example.com\r\nEND:VCARD\r\n' >ann.vcf
gammu --version 2>warnings.log | grep -o 'Gammu version [0-9.]*'
gammu convertbackup ann.vcf ann.ldif >warnings.log 2>&1
seen=$(tr -d '\r' <ann.ldif | grep .)
echo "$seen"
[ "$(head -1 <<<"$seen")" = 'objectclass: top' ] && ! grep -q '^dn:' <<<"$seen" && grep -q '^mail: ann@example.com$' <<<"$seen"
