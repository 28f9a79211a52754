// The Debian package of a release: its files below /usr/lib/gatehouse, units, settings and the command `gatehouse`.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { run } from './archive.mjs'

const settingsFiles = ['portal.env', 'gateway.env', 'media.env']
const packageFolder = join(import.meta.dirname, 'debian')
const architectures = { x64: 'amd64', arm64: 'arm64' }

/** Tells whether this machine can pack Debian packages. */
export function canPackDebian() {
  return process.arch in architectures && spawnSync('dpkg-deb', ['--version']).status === 0
}

/**
 * Packs a staged release. Returns the file.
 * @param {{ root: string, folder: string, output: string, version: string, date: Date, compression?: string }} release
 */
export function packDebian({ root, folder, output, version, date, compression = 'zstd' }) {
  const architecture = architectures[process.arch]
  const tree = join(output, `debian-${version}`)
  rmSync(tree, { recursive: true, force: true })
  installFiles(root, folder, tree)
  run('chmod', ['-R', 'u=rwX,go=rX', tree])
  // secrets: `postinst` lets the group of the portal read them
  for (const name of settingsFiles) chmodSync(join(tree, 'etc/gatehouse', name), 0o640)
  writeControl(tree, version, architecture)
  const file = join(output, `gatehouse_${version}_${architecture}.deb`)
  run('dpkg-deb', ['--build', '--root-owner-group', `-Z${compression}`, tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(date.getTime() / 1000)) },
  })
  rmSync(tree, { recursive: true })
  return file
}

function installFiles(root, folder, tree) {
  const library = join(tree, 'usr/lib/gatehouse')
  mkdirSync(dirname(library), { recursive: true })
  cpSync(folder, library, { recursive: true, verbatimSymlinks: true })
  const units = join(root, 'deploy/systemd')
  for (const unit of readdirSync(units).filter((name) => name.endsWith('.service'))) {
    install(join(units, unit), join(tree, 'lib/systemd/system', unit))
  }
  for (const name of settingsFiles) install(join(units, name), join(tree, 'etc/gatehouse', name))
  install(join(packageFolder, 'gatehouse'), join(tree, 'usr/bin/gatehouse'), 0o755)
  const documents = join(tree, 'usr/share/doc/gatehouse')
  for (const page of readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))) {
    mkdirSync(documents, { recursive: true })
    symlinkSync(`../../../lib/gatehouse/docs/${page}`, join(documents, page))
  }
  install(join(packageFolder, 'copyright'), join(documents, 'copyright'))
  const changes = readFileSync(join(root, 'CHANGELOG.md'))
  // without a date in it, like `gzip --no-name`
  writeFileSync(join(documents, 'changelog.gz'), gzipSync(changes, { level: 9 }))
}

function install(from, to, mode = 0o644) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
  chmodSync(to, mode)
}

function writeControl(tree, version, architecture) {
  const control = join(tree, 'DEBIAN')
  const { stdout } = spawnSync('du', ['-k', '-s', '--exclude=DEBIAN', tree], { encoding: 'utf8' })
  const text = readFileSync(join(packageFolder, 'control'), 'utf8')
    .replace('@version@', version)
    .replace('@architecture@', architecture)
    .replace('@size@', stdout.split('\t')[0] ?? '0')
  mkdirSync(control)
  writeFileSync(join(control, 'control'), text)
  writeFileSync(join(control, 'conffiles'), settingsFiles.map((name) => `/etc/gatehouse/${name}\n`).join(''))
  for (const script of ['postinst', 'prerm', 'postrm'])
    install(join(packageFolder, script), join(control, script), 0o755)
}
