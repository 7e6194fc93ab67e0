#!/usr/bin/env bash
# One would believe: an address book files a card without `N`, which vCard 4.0 does not ask for, under its name in `FN`.
# True: the library of Evolution's and GNOME's address books files it under its company when it has one: in the list all people of a
# company have the same name. With the whole name as the given one in `N` it is filed under the name.
# Seen in libebook-contacts 3.46.4 (Debian 12).
# A service for records should write `N`.
set -euo pipefail
source "$(dirname "$0")/../debian-packages.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
debian_packages gir1.2-ebookcontacts-1.2 python3-gi
root=$folder/packages/usr/lib
cat >file.py <<'PY'
import gi
gi.require_version('EBookContacts', '1.2')
from gi.repository import EBookContacts
for name in ('', 'N:;Ann Lee;;;\r\n'):
    card = f'BEGIN:VCARD\r\nVERSION:4.0\r\nUID:1\r\nFN:Ann Lee\r\n{name}ORG:Acme\r\nEND:VCARD\r\n'
    contact = EBookContacts.Contact.new_from_vcard(card)
    print(name.strip() or 'no N', '→', contact.get_property('file-as'))
PY
echo "libebook-contacts $(apt-cache show gir1.2-ebookcontacts-1.2 | sed -n 's/^Version: //p' | head -1)"
seen=$(LD_LIBRARY_PATH=$root/x86_64-linux-gnu GI_TYPELIB_PATH=$root/x86_64-linux-gnu/girepository-1.0:$root/girepository-1.0 \
  PYTHONPATH=$root/python3/dist-packages /usr/bin/python3 file.py)
echo "$seen"
[ "$seen" = 'no N → Acme
N:;Ann Lee;;; → Ann Lee' ]
