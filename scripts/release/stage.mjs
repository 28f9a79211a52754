// Assembles the folder of a release from the built product and the installed packages.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { componentsOf } from './components.mjs'
import { launchersOf } from './launchers.mjs'
import { licenceOf, noticesOf } from './licences.mjs'
import { sbomOf } from './sbom.mjs'

/** What of the repository is part of a release, at the same place. */
const contents = [
  ...['packages/server/dist', 'packages/server/catalogue.json', 'packages/media/dist', 'packages/web/dist'],
  ...[
    'deploy/mail/dist',
    'deploy/mail/roundcube/gatehouse_mail',
    'deploy/proxy',
    'deploy/systemd',
    'deploy/monitoring',
    'deploy/container',
    'deploy/compose.yaml',
    'deploy/compose',
    'deploy/helm',
  ],
  ...['themes', 'docs', 'README.md', 'CHANGELOG.md', 'LICENSE'],
]

/** Only compilers and debuggers read these files of packages. */
const unused = /\.(?:d\.[cm]?ts|[cm]?[jt]s\.map|a)$/

/**
 * Writes a release to an empty folder.
 * @param {{ root: string, folder: string, version: string, date: Date, node?: { version: string, folder: string } }} release
 */
export function stage({ root, folder, version, date, node }) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const path of contents) copy(join(root, path), join(folder, path), (name) => name !== '.stamp.json')
  const components = componentsOf(root).map((component) => ({
    ...component,
    licence: licenceOf(readJson(join(root, component.path, 'package.json'))),
  }))
  for (const { path } of components.filter(({ use }) => use === 'runtime')) {
    // packages inside of packages are components themselves
    copy(join(root, path), join(folder, path), (name) => name !== 'node_modules' && !unused.test(name))
  }
  if (node !== undefined) copyNode(node.folder, join(folder, 'node'))
  write(folder, 'package.json', manifestOf(root, version))
  write(folder, 'THIRD-PARTY-NOTICES.txt', noticesOf(root, components))
  write(folder, 'sbom.cdx.json', sbomOf({ version, date, components, node: node?.version }))
  for (const [name, text] of Object.entries(launchersOf(version))) {
    write(folder, join('bin', name), text)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  // the same on each machine, whatever its umask
  const { status } = spawnSync('chmod', ['-R', 'u=rwX,go=rX', folder], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`can't set the permissions in ${folder}`)
}

function copy(from, to, isIncluded) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, {
    recursive: true,
    // relative links between libraries
    verbatimSymlinks: true,
    filter: (source) => relative(from, source) === '' || isIncluded(basename(source), source),
  })
}

function copyNode(from, to) {
  copy(join(from, 'bin/node'), join(to, 'bin/node'), () => true)
  copy(join(from, 'LICENSE'), join(to, 'LICENSE'), () => true)
  chmodSync(join(to, 'bin/node'), lstatSync(join(to, 'bin/node')).mode | 0o111)
}

/** Without dependencies, because nothing is installed from it. It says that the files are modules. */
function manifestOf(root, version) {
  const { name, description, license, type, engines } = readJson(join(root, 'package.json'))
  return `${JSON.stringify({ name, version, private: true, description, license, type, engines }, undefined, 2)}\n`
}

function write(folder, name, text) {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
