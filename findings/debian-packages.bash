# Unpacks the named packages of Debian into `packages` of the current folder, with those that they need and the machine lacks:
# what it has already is used from there.
debian_packages() {
  mkdir -p archives/partial packages
  apt-get install -y -qq --no-install-recommends --download-only -o Dir::Cache::archives="$PWD/archives" "$@" >apt.log 2>&1
  for package in archives/*.deb; do
    if [ -e "$package" ]; then dpkg-deb -x "$package" packages; fi
  done
}
