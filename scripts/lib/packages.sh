# Installing packages: Debian's or Ubuntu's as root or with sudo, Python's into .venv; sourced after
# common.sh.

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif have sudo; then
    # Without a terminal nobody can type a password: fail at once instead of waiting for one.
    if [ -t 2 ]; then sudo "$@"; else sudo -n "$@"; fi
  else
    die "only root can install packages, and there is no sudo; please install: ${missing[*]}"
  fi
}

# The first number of the version that apt would install; 0 where it knows of none.
offered_major() {
  local version
  version=$(apt-cache policy "$1" 2>/dev/null | awk '$1 == "Candidate:" { print $2 }')
  version=${version#*:}  # epoch
  case "${version%%.*}" in
    '' | *[!0-9]*) echo 0 ;;
    *) echo "${version%%.*}" ;;
  esac
}

install_packages() {
  if ! have dpkg-query || ! have apt-get; then
    note "not a Debian or Ubuntu system: please see to these yourself: $*"
    return
  fi
  local package missing=()
  for package in "$@"; do installed "$package" || missing+=("$package"); done
  if [ ${#missing[@]} = 0 ]; then
    note "packages: all $# are there"
    return
  fi
  say "installing packages: ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  as_root "${apt[@]}" update || note "apt-get update failed; trying with the lists as they are"
  as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null ||
    die "apt-get could not install: ${missing[*]}"
}

# install_python LIST [MODULE]: a list is installed when .venv holds a copy of it, which it gets
# once pip is content and MODULE can be imported.
install_python() {
  local list="$root/scripts/lib/python-$1.txt" done="$venv/installed-$1.txt"
  if cmp -s "$list" "$done"; then
    note "Python, $1: all there"
    return
  fi
  say "installing for Python, $1: what ${list#"$root"/} lists"
  local pip=("$python" -m pip install --quiet --disable-pip-version-check --only-binary :all:)
  # Between versions files go from one wheel to another, and are deleted with the older one.
  "${pip[@]}" -r "$list" && { "$python" -c "import ${2:-sys}" 2>/dev/null || {
    "${pip[@]}" --force-reinstall --no-deps -r "$list" && "$python" -c "import ${2:-sys}"; }; } &&
    cp "$list" "$done"
}
