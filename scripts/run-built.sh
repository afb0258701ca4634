# For the programs in bin/, which say where the checkout is ($root).

# run_built APP SCRIPT [ARGUMENT...]: runs a built script of an app. If a source has changed since the last build, or
# there is none, it installs what is missing and builds first, which takes seconds; otherwise it starts at once.
run_built() {
  app=$1
  # The name of the package, which is the first in its manifest.
  package=$(sed -n 's/^  "name": "\(.*\)",$/\1/p' "$root/apps/$1/package.json")
  script=$root/apps/$1/$2
  shift 2
  node=$root/node_modules/node/bin/node
  cache=$root/node_modules/.cache/gpu-offers
  if is_outdated; then
    # Agents log standard error, and would wait for the first response without a word.
    if [ -t 2 ] || [ "${1-}" = mcp ]; then
      [ -x "$node" ] && echo "gpu-offers: building" >&2 || echo "gpu-offers: installing packages and building" >&2
    fi
    mkdir -p "$cache"
    # Of the time before the build, so that an edit during the build counts as newer.
    touch "$cache/$app.begun"
    (cd "$root" && npx -y pnpm@12 run --silent build "$package" >&2)
    mv "$cache/$app.begun" "$cache/$app.built"
  fi
  # So that the commands in its messages can be pasted.
  GPU_OFFERS_CALLED_AS=$0
  export GPU_OFFERS_CALLED_AS
  exec "$node" "$script" "$@"
}

# A folder of sources is newer where a file was deleted; the others are newer where the build added its own folders.
is_outdated() {
  [ -x "$node" ] && [ -e "$script" ] && [ -e "$cache/$app.built" ] || return 0
  changed=$(find "$root/facts" "$root/packages" "$root/apps/$app" "$root/apps/admin" "$root/pnpm-lock.yaml" "$root/tsconfig.base.json" \
    \( -name node_modules -o -name dist -o -name man -o -name test -o -name testkit -o -name .turbo -o -name "*.facts.ts" \) -prune -o \
    \( -type f -o -path "*/src*" \) -newer "$cache/$app.built" -print -quit)
  [ -n "$changed" ]
}
