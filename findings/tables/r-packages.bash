# R of Debian 12 in the current folder, with the named packages, for the scripts here: `r CODE` runs it. Packages that the
# machine has already are used from there.
source "$(dirname "${BASH_SOURCE[0]}")/../debian-packages.bash"
r_packages() {
  debian_packages r-base-core=4.2.2.20221110-2 "$@"
  local settings=packages/usr/lib/R/etc
  if [ ! -e "$settings" ]; then return; fi
  cp --remove-destination packages/etc/R/* "$settings"
  cp --remove-destination "$settings/Renviron.ucf" "$settings/Renviron"
}
r() {
  local root=$PWD/packages
  if [ ! -e "$root/usr/lib/R/bin/exec/R" ]; then root=; fi
  local libraries
  libraries=$root/usr/lib/R/lib:$(find "$PWD/packages" -name '*.so*' -printf '%h\n' | sort -u | paste -s -d:)
  R_HOME=$root/usr/lib/R R_SHARE_DIR=$root/usr/share/R/share R_LIBS=$PWD/packages/usr/lib/R/site-library \
    LD_LIBRARY_PATH=$libraries "$root/usr/lib/R/bin/exec/R" --vanilla --no-echo -e "$1"
}
