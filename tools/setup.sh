# Shared by ./run and ./test: installs what is missing, configures if needed, builds. Sourced, not executed.
#
# Expects `root` to be the folder of the checkout, and may be given a `preset` of CMakePresets.json. Says everything on stderr and leaves the working directory alone.

: "${root:?set by the caller}"
preset="${preset:-release}"
build="$root/build/$preset"

say() { printf 'filum: %s\n' "$*" >&2; }

# The packages of tools/packages.txt, and of `more_packages` if the caller has set it, that are not installed, separated
# by spaces.
missing_packages() {
  local wanted installed name missing=''
  wanted="$(sed -e 's/#.*//' "$root/tools/packages.txt") ${more_packages-}"
  # shellcheck disable=SC2086 # one word a package
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p')
  for name in $wanted; do
    case $'\n'"$installed"$'\n' in
      *$'\n'"$name"$'\n'*) ;;
      *) missing="$missing $name" ;;
    esac
  done
  printf '%s' "${missing# }"
}

# Installs what is missing if we may; otherwise says how and stops.
install_packages() {
  # another system than Debian: its owner knows how to install; CMake names what is missing
  command -v dpkg-query >/dev/null || return 0

  local missing
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    say "these packages are missing; install them and try again:"
    printf '  sudo apt-get update && sudo apt-get install -y --no-install-recommends %s\n' "$missing" >&2
    exit 2
  fi

  say "installing $missing"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086 # one word a package
  if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } </dev/null >&2; then
    say "installing failed; the line was: apt-get install -y --no-install-recommends $missing"
    exit 2
  fi
}

# Configures the build folder unless that is done; anew if the checkout was moved or copied.
configure() {
  local cache="$build/CMakeCache.txt" fresh=''
  if [ -f "$cache" ]; then
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" || fresh=--fresh
    [ -z "$fresh" ] && [ -f "$build/build.ninja" ] && return 0
  fi
  say "configuring"
  # ${fresh:+…}: no argument at all when empty
  (cd "$root" && cmake --preset "$preset" ${fresh:+"$fresh"} --log-level=WARNING) </dev/null >&2
}

# Passes on what ninja says, but for what it says when there is nothing to do; on a terminal progress stays on one line,
# elsewhere it is told every ten seconds. Each such line comes with the time that is left at the present pace.
show_build() {
  local line shown='' start=$SECONDS told=$SECONDS done_steps steps left
  while IFS= read -r line; do
    case "$line" in
      'ninja: Entering'* | 'ninja: no work'* | *'Re-checking globbed'*) continue ;;
    esac
    [ -n "$shown" ] || say "building"
    shown=yes
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]]; then
      done_steps=${BASH_REMATCH[1]} steps=${BASH_REMATCH[2]} left=''
      if ((SECONDS - start >= 10 && done_steps > 0)); then
        left=$(((SECONDS - start) * (steps - done_steps) / done_steps))
        left=$(printf ', about %d:%02d left' $((left / 60)) $((left % 60)))
      fi
      if [ -t 2 ]; then
        printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "step $done_steps of $steps$left: ${BASH_REMATCH[3]##*/}"
      elif ((SECONDS - told >= 10)); then
        told=$SECONDS
        say "step $done_steps of $steps$left"
      fi
    else
      printf '%s%s\n' "$([ ! -t 2 ] || printf '\r\033[K')" "$line"
    fi
  done >&2
  [ -z "$shown" ] || [ ! -t 2 ] || printf '\r\033[K' >&2
}

# Builds the named targets; says nothing when there is nothing to do.
build_targets() {
  ninja -C "$build" -j "$(nproc)" "$@" </dev/null 2>&1 | show_build
}

# The packages that the workbench's page needs; Node.js may come from elsewhere, with its npm.
page_packages() {
  command -v npm >/dev/null || printf 'nodejs npm'
}

# Everything up to and including the build of the named targets; one at a time for each checkout.
set_up() {
  install_packages
  mkdir -p "$build"
  # the lock lives as long as this subshell, so the program that runs afterwards does not hold it
  (
    flock 9
    configure && build_targets "$@"
  ) 9>"$root/build/.lock" || {
    say "the build failed"
    exit 2
  }
}
