#!/usr/bin/env bash
# One would believe: a program that reads vCards joins folded lines (RFC 6350 3.2, RFC 2426 2.6), since every writer folds at 75 octets.
# True: abook keeps the first line of a folded value and drops the rest, without a word: a name of 90 letters is cut, and so is an
# address. `\,` and `\n` stay two characters each, and the birthday (`BDAY`) becomes the anniversary.
# Seen in abook 0.6.1 (Debian 12).
# A service for records cannot avoid it, as lines must be folded; its documents should name the program.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .
apt-get download -qq abook=0.6.1-2+b1 >apt.log 2>&1
dpkg-deb -x abook_*.deb packages
printf 'abook %s\n' "$(dpkg-deb -f abook_*.deb Version)"
printf '%s\r\n' BEGIN:VCARD VERSION:4.0 'FN:The company of which the name is so long that the line has to be folded' ' here' \
  'EMAIL:office@a.example' 'NOTE:Acme\, Inc.\nBerlin' BDAY:19850131 END:VCARD >cards.vcf
seen=$(packages/usr/bin/abook --convert --informat vcard --infile cards.vcf --outformat abook | grep -E '^(name|notes|birthday|anniversary)=')
echo "$seen"
[ "$seen" = 'name=The company of which the name is so long that the line has to be folded
notes=Acme\, Inc.\nBerlin
anniversary=19850131' ]
