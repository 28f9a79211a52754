import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { idsOf } from '../programs/system-user.ts'
import { phpConfiguration, roundcubeConfiguration } from './configuration.ts'
import { type RoundcubeDescription, roundcubePaths } from './roundcube-description.ts'

const run = promisify(execFile)
const share = '/usr/share/roundcube'

export const phpProgram = '/usr/sbin/php-fpm8.2'

/** Whether Roundcube can be started (Debian: `roundcube-core`, `roundcube-sqlite3`, `roundcube-plugins`, `php8.2-fpm`). */
export const hasRoundcube = [phpProgram, `${share}/index.php`, `${share}/plugins/managesieve`].every(
  existsSync,
)

/** Writes the configuration of an instance and creates its database. Keeps the settings of users. */
export async function writeRoundcube(description: RoundcubeDescription): Promise<void> {
  const { folder } = description
  const paths = roundcubePaths(folder)
  const { user, group } = await idsOf('www-data')
  for (const path of [
    folder,
    paths.configuration,
    join(paths.root, 'webmail/program'),
    dirname(paths.phpSocket),
  ])
    await mkdir(path, { recursive: true, mode: 0o755 })
  for (const path of [dirname(paths.database), join(paths.home, 'temp'), join(paths.home, 'logs')]) {
    await mkdir(path, { recursive: true, mode: 0o750 })
    await chown(path, user, group)
  }
  await linkPrograms(description)
  for (const file of ['defaults.inc.php', 'mimetypes.php'])
    await cp(join('/etc/roundcube', file), join(paths.configuration, file))
  const configuration = join(paths.configuration, 'config.inc.php')
  await writeFile(configuration, roundcubeConfiguration(description), { mode: 0o640 })
  await chown(configuration, 0, group)
  await writeFile(paths.phpConfiguration, phpConfiguration(description))
  if (!existsSync(paths.database)) await makeDatabase(paths.database, { user, group })
}

/** Arguments that run the instance's PHP in the foreground. */
export function phpArguments(folder: string): readonly string[] {
  return ['--nodaemonize', '--fpm-config', roundcubePaths(folder).phpConfiguration]
}

/** Builds an installation of links, so that nothing outside the folder is changed. */
async function linkPrograms({ folder, plugin }: RoundcubeDescription): Promise<void> {
  const { home, root } = roundcubePaths(folder)
  const debian = '/var/lib/roundcube'
  const ours = join(home, 'plugins')
  const webmail = join(root, 'webmail')
  await rm(ours, { recursive: true, force: true })
  await mkdir(ours)
  const links = [
    ...['index.php', 'program', 'SQL'].map((name) => [`${share}/${name}`, join(home, name)] as const),
    [`${debian}/skins`, join(home, 'skins')] as const,
    ...(await readdir(`${share}/plugins`)).map(
      (name) => [`${share}/plugins/${name}`, join(ours, name)] as const,
    ),
    ...['plugins', 'skins'].map((name) => [join(home, name), join(webmail, name)] as const),
    ...['js', 'resources'].map(
      (name) => [`${share}/program/${name}`, join(webmail, 'program', name)] as const,
    ),
  ]
  for (const [target, path] of links) {
    await rm(path, { force: true })
    await symlink(target, path)
  }
  // a copy, because PHP's user can't enter every checkout
  await cp(plugin, join(ours, 'gatehouse_mail'), { recursive: true })
  await writeFile(
    join(webmail, 'index.php'),
    `<?php\ndefine('INSTALL_PATH', '${home}/');\ninclude INSTALL_PATH . 'index.php';\n`,
  )
}

async function makeDatabase(file: string, { user, group }: { user: number; group: number }): Promise<void> {
  const schema = await readFile(`${share}/SQL/sqlite.initial.sql`, 'utf8')
  const script = '$db = new PDO("sqlite:" . $argv[1]); $db->exec(stream_get_contents(STDIN));'
  const program = run('php', ['-r', script, '--', file])
  program.child.stdin?.end(schema)
  await program
  await chown(file, user, group)
}
