#!/usr/bin/env bash
# One would believe: a column of codes such as `1D2` (a room, a part) or `5i` is text for a reader of CSV that guesses types, because
# no program shows numbers so.
# True: readr reads `1D2` as 100, with the D of Fortran's exponents, and read.csv of R itself reads `5i` as an imaginary number and
# `0x1A` as 26. Written again, the column has 100 and 0+5i. Each of the two reads as text what the other takes for a number.
# Seen in R 4.2.2 and readr 2.1.4 (Debian 12).
# A service for records should say that columns of codes are read as texts (`col_types`, `colClasses`), and show how many records an
# import of a file that came back would change.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/r-packages.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
r_packages r-cran-readr=2.1.4-1
printf 'room,part,hex,postal\n1D2,5i,0x1A,00501\n3D1,7i,0x1B,02134\n' >codes.csv
r 'cat("R", as.character(getRversion()), "readr", as.character(packageVersion("readr")), "\n")'
seen=$(r 'write.csv(read.csv("codes.csv"), row.names = FALSE, quote = FALSE)
cat(readr::format_csv(readr::read_csv("codes.csv", show_col_types = FALSE)))
cat(readr::format_csv(readr::read_csv("codes.csv", col_types = "cccc")))')
echo "$seen"
[ "$seen" = 'room,part,hex,postal
1D2,0+5i,26,501
3D1,0+7i,27,2134
room,part,hex,postal
100,5i,0x1A,00501
30,7i,0x1B,02134
room,part,hex,postal
1D2,5i,0x1A,00501
3D1,7i,0x1B,02134' ]
