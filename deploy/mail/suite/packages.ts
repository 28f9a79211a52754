import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

/** Debian's packages of the suite. */
export const packages = [
  ...['cyrus-imapd', 'cyrus-caldav', 'cyrus-common', 'cyrus-admin', 'sasl2-bin', 'libsasl2-modules'],
  ...['postfix', 'postfix-pgsql'],
  ...['nginx-light', 'libnginx-mod-mail', 'libnginx-mod-stream', 'openssl'],
  ...['roundcube-core', 'roundcube-sqlite3', 'roundcube-plugins', 'php8.2-fpm', 'php8.2-cli'],
  ...['php8.2-curl', 'php8.2-sqlite3', 'php8.2-mbstring', 'php8.2-xml', 'php8.2-intl', 'php8.2-zip'],
]

const answers = [
  'postfix postfix/main_mailer_type select No configuration',
  'roundcube-core roundcube/dbconfig-install boolean false',
]

/** Keeps Debian from starting the services of packages, which would take the standard ports. */
const startPolicy = '/usr/sbin/policy-rc.d'

/** Returns the packages that aren't installed. */
export function missingPackages(): string[] {
  const { stdout } = spawnSync('dpkg', ['-s', ...packages], { encoding: 'utf8' })
  const installed = new Set(
    stdout
      .split('\n\n')
      .filter((text) => text.includes('\nStatus: install ok installed'))
      .map((text) => /^Package: (\S+)/m.exec(text)?.[1]),
  )
  return packages.filter((name) => !installed.has(name))
}

/** Installs packages without starting their services. Needs root. */
export function installPackages(names: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const isOurs = !existsSync(startPolicy)
  if (isOurs) writeFileSync(startPolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    execFileSync('debconf-set-selections', { input: `${answers.join('\n')}\n` })
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'inherit' })
    const options = ['install', '-y', '-qq', '--no-install-recommends']
    execFileSync('apt-get', [...options, ...names], { env, stdio: 'inherit' })
  } finally {
    if (isOurs) rmSync(startPolicy)
  }
}
