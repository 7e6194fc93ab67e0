#!/usr/bin/env bash
# One would believe: a reader of workbooks that is told to find dates (`detectDates = TRUE`) gives days as days and times as times.
# True: `read.xlsx` of openxlsx gives days as Date and leaves times the serial numbers of the sheet, such as 46082.5, also those that
# openxlsx wrote itself; printed with R's seven digits they look like whole days.
# Seen in openxlsx 4.2.5.2 with R 4.2.2 (Debian 12).
# A service for records should name `convertToDateTime()`, or `readxl`, in its documents.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/r-packages.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
r_packages r-cran-openxlsx r-cran-readxl
r 'cat("R", as.character(getRversion()), "openxlsx", as.character(packageVersion("openxlsx")), "\n")'
seen=$(r 'suppressMessages(library(openxlsx))
at <- as.POSIXct("2026-03-01 12:30:00", tz = "UTC")
write.xlsx(data.frame(at = at, day = as.Date("2026-03-01")), "times.xlsx")
read <- read.xlsx("times.xlsx", detectDates = TRUE)
cat(class(read$at), format(read$at), format(read$at, digits = 10), class(read$day), "\n")
cat(format(convertToDateTime(read$at, tz = "UTC")), "\n")
cat(format(readxl::read_excel("times.xlsx")$at), "\n")')
echo "$seen"
[ "$seen" = 'numeric 46082.52 46082.52083 Date 
2026-03-01 12:30:00 
2026-03-01 12:30:00 ' ]
