# shellcheck shell=bash
# What both launchers do: `ecfs` of the sources, and `ecfs` of a release archive (dist/ecfs). Sourced; neither installs
# nor builds anything.

min_java=17
java_options=() # of every process; a launcher may add some

# The JDK gives errors of the system in the words of the locale, and a datanode tells a bad sector from a broken drive
# by them: messages stay English. The encoding of file names stays what LC_ALL says.
if [[ -n ${LC_ALL:-} ]]; then
  export LC_CTYPE=$LC_ALL
  unset LC_ALL
fi
export LC_MESSAGES=C

say() { printf 'ecfs: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# Prints the feature release (17, 21, ...) of the JDK in $1; fails where there is none.
java_release() {
  local line
  [[ -x $1/bin/java && -r $1/release ]] || return 1
  while IFS= read -r line; do
    [[ $line =~ ^JAVA_VERSION=\"([0-9]+) ]] && { echo "${BASH_REMATCH[1]}"; return 0; }
  done <"$1/release"
  return 1
}

# Sets java_home and java_version to the first JDK that is new enough: JAVA_HOME, the one in PATH, those installed.
find_java() {
  local home in_path
  in_path=$(command -v java) && in_path=$(dirname "$(dirname "$(readlink -f "$in_path")")")
  for home in "${JAVA_HOME:-}" "$in_path" /usr/lib/jvm/*; do
    java_version=$(java_release "$home") || continue
    if ((java_version >= min_java)) && [[ $1 == any || -x $home/bin/javac ]]; then
      java_home=$home
      return 0
    fi
  done
  return 1
}

# Becomes io.ecfs.console.Main with the class path $1 and, where $2 has one for this kind of process, an archive of its
# classes.
run() {
  local options=("${java_options[@]}" -cp "$1" -Dfile.encoding=UTF-8) archives=$2 kind=commands archive
  shift 2
  case ${1:-} in
    console) kind=console ;;
    namenode | datanode | webhdfs | up | soak | torture | torture-client | bench) kind=daemons ;;
  esac
  case ${1:-} in
    namenode | datanode | console | webhdfs | up) umask 077 ;; # also for what RocksDB and Ratis make, and logs
  esac
  case ${1:-} in
    namenode | datanode) options+=(-XX:+ExitOnOutOfMemoryError -Decfs.log=info -Decfs.log.libraries=warn) ;;
    webhdfs) options+=(-XX:+ExitOnOutOfMemoryError -XX:+UseSerialGC -Xmx512m -XX:MaxDirectMemorySize=2g -Decfs.log=info -Decfs.log.libraries=warn) ;;
    up) options+=(-XX:+ExitOnOutOfMemoryError) ;;
    fs) options+=(-XX:+UseSerialGC) ;;
    soak) options+=(-XX:+ExitOnOutOfMemoryError -Xmx256m) ;; # the client has a bound as well
    console) options+=(-XX:+ExitOnOutOfMemoryError -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx160m -Xss512k) ;; # as under 'up'
    bench) options+=(-XX:+ExitOnOutOfMemoryError) ;; # the JVM at its best: its own collector, all compilers
    *) options+=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1) ;;
  esac
  [[ ! -t 2 ]] || options+=(-Decfs.terminal=true)
  ((java_version < 22)) || options+=(--enable-native-access=ALL-UNNAMED)
  archive=$archives/$kind-$java_version.jsa
  [[ ! -e $archive ]] || options+=(-XX:SharedArchiveFile="$archive" -Xshare:auto)
  # shellcheck disable=SC2086 # ECFS_JAVA_OPTS is a list of options
  exec "$java_home/bin/java" "${options[@]}" ${ECFS_JAVA_OPTS:-} io.ecfs.console.Main "$@"
}
