// The programs in `bin/` of a release: small shell scripts, so that no step of an installation needs Node.js in PATH.

/** @type {Readonly<Record<string, { about: string, script: string, isCommand?: true }>>} */
const programs = {
  gatehouse: {
    about: 'The command line of operators.',
    script: 'packages/server/dist/cli.js',
    isCommand: true,
  },
  'gatehouse-portal': { about: 'The portal: pages, API and jobs.', script: 'packages/server/dist/main.js' },
  'gatehouse-gateway': { about: 'The mail gateway on its own.', script: 'packages/server/dist/gateway.js' },
  'gatehouse-media': {
    about: 'Media engines of meetings on a host of their own.',
    script: 'packages/media/dist/engine-host.js',
  },
  'gatehouse-suite': {
    about: 'The portal with a complete mail system, to try it out.',
    script: 'deploy/mail/dist/suite.js',
  },
}

/**
 * Returns the text of each launcher by file name.
 * @param {string} version
 * @returns {Record<string, string>}
 */
export function launchersOf(version) {
  return Object.fromEntries(
    Object.entries(programs).map(([name, program]) => [name, launcher(version, program)]),
  )
}

function launcher(version, { about, script, isCommand = false }) {
  return `#!/bin/sh
# ${about}
# GATEHOUSE_NODE chooses the Node.js to run, by default the one in the release or in PATH.
# GATEHOUSE_ENV_FILE names a file with settings, one NAME=value a line.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
node=\${GATEHOUSE_NODE:-node}
if [ -z "\${GATEHOUSE_NODE:-}" ] && [ -x "$root/node/bin/node" ]; then node=$root/node/bin/node; fi
if ! command -v "$node" >/dev/null; then
  echo "Node.js 20.19 or newer is required, but $node was not found." >&2
  exit 1
fi
export GATEHOUSE_BUILD=${version}${isCommand ? ' GATEHOUSE_COMMAND=gatehouse' : ''}
if [ -n "\${GATEHOUSE_ENV_FILE:-}" ]; then set -- "--env-file=$GATEHOUSE_ENV_FILE" "$root/${script}" "$@"
else set -- "$root/${script}" "$@"; fi
exec "$node" --enable-source-maps "$@"
`
}
