#!/usr/bin/env bash
# One would believe: a contact card without a UID can be used, because RFC 6350 and RFC 2426 make it optional, and telephones and
# mail programs export such cards.
# True: the address book khard leaves out such a card, with a line on standard error; `khard list` finds no contact.
# Seen in 0.18.0 (Debian 12).
# A service for records should write a UID into each card, the same for the same record.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq khard=0.18.0-1 python3-{atomicwrites,configobj,dateutil,ruamel.yaml,ruamel.yaml.clib,six,unidecode,vobject} \
  >apt.log 2>&1
for package in *.deb; do dpkg-deb -x "$package" packages; done
mkdir book
printf '[addressbooks]\n[[book]]\npath = %s/book\n' "$folder" >khard.conf
card() { printf 'BEGIN:VCARD\r\nVERSION:4.0\r\n%sFN:%s\r\nEND:VCARD\r\n' "$1" "$2"; }
card '' 'Ann Without' >book/ann.vcf
card $'UID:urn:uuid:01990a5d-ac96-774b-bcce-b302099a8057\r\n' 'Bo With' >book/bo.vcf
export PYTHONPATH=$folder/packages/usr/lib/python3/dist-packages
run() { /usr/bin/python3 -m khard -c khard.conf "$@"; }
echo "khard $(/usr/bin/python3 -c 'from importlib.metadata import version; print(version("khard"))')"
seen=$(run list --parsable 2>/dev/null | cut -f2)
echo "$seen"
[ "$seen" = 'Bo With' ]
