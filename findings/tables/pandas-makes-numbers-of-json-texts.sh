#!/usr/bin/env bash
# One would believe: JSON says which values are texts, so JSON lines need none of the care that CSV needs: "00501" stays a text.
# True: read_json of pandas makes numbers of texts: "00501" becomes 501, "1e5" 100000, an id of 20 digits a float in which other ids are
# equal. A column whose name ends with `_at` or `_time`, or is `date` or `modified`, becomes a date, also if it has numbers. And of
# numbers it reads only 15 digits.
# Seen in pandas 1.5.3 (Debian 12). `dtype=False, convert_dates=False, precise_float=True` changes nothing.
# A service for records should say so beside its JSON lines, and count in a dry run what would change.
set -euo pipefail
source "$(dirname "$0")/../debian-packages.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
debian_packages python3-pandas=1.5.3+dfsg-2 python3-pandas-lib
cat >records.jsonl <<'JSON'
{"postal":"00501","part":"1e5","id":"12345678901234567891","lead_time":40000000,"share":0.12345678901234566}
{"postal":"02134","part":"2e5","id":"12345678901234567892","lead_time":50000000,"share":0.12345678901234566}
JSON
cat >read.py <<'PY'
import warnings
import pandas
warnings.simplefilter('ignore')
for options in ({}, {'dtype': False, 'convert_dates': False, 'precise_float': True}):
    print(pandas.read_json('records.jsonl', lines=True, **options).to_csv(index=False), end='')
PY
libraries=$(find packages -name '*.so*' -printf "$folder/%h\n" | sort -u | paste -s -d:)
python() { LD_LIBRARY_PATH=$libraries PYTHONPATH=$folder/packages/usr/lib/python3/dist-packages /usr/bin/python3 "$@"; }
echo "pandas $(python -c 'import pandas; print(pandas.__version__)')"
seen=$(python read.py)
echo "$seen"
[ "$seen" = 'postal,part,id,lead_time,share
501,100000,1.2345678901234567e+19,1971-04-08 23:06:40,0.12345678901234501
2134,200000,1.2345678901234567e+19,1971-08-02 16:53:20,0.12345678901234501
postal,part,id,lead_time,share
00501,1e5,12345678901234567891,40000000,0.12345678901234566
02134,2e5,12345678901234567892,50000000,0.12345678901234566' ]
