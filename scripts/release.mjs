// Makes a release for this platform in `release/`: a folder, an archive, the client's npm package and, with
// dpkg-deb, a Debian package.
// `npm run release`, or `npm run release -- --node none` without Node.js in it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { pack, writeChecksums, writeChecksumsOf } from './release/archive.mjs'
import { packClient } from './release/client.mjs'
import { canPackDebian, packDebian } from './release/debian.mjs'
import { nodeRuntime, testedVersions } from './release/node-runtime.mjs'
import { stage } from './release/stage.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Makes a release. Returns its folder and the files beside it.
 * @param {{ output: string, node: string | undefined, debian?: boolean, level?: number }} options `level` is the compression of the archive
 */
export async function release({ output, node, debian = canPackDebian(), level }) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const date = releaseDate()
  await build()
  mkdirSync(output, { recursive: true })
  const folder = join(output, `gatehouse-${version}`)
  say(`assembling ${folder} …`)
  const runtime = node === undefined ? undefined : { version: node, folder: nodeRuntime(node) }
  stage({ root, folder, version, date, node: runtime })
  await writeChecksums(folder)
  const archive = join(output, `gatehouse-${version}-${process.platform}-${process.arch}.tar.gz`)
  say(`packing ${archive} …`)
  await pack(folder, archive, date, level)
  const files = [basename(archive)]
  if (debian) {
    say('packing the Debian package …')
    files.push(basename(packDebian({ root, folder, output, version, date })))
  }
  say('packing the client of the API …')
  files.push(basename(await packClient({ root, output, version, date })))
  await writeChecksumsOf(output, files)
  return { folder, version, files }
}

/** The date of everything in the release: `SOURCE_DATE_EPOCH`, or the date of the commit. */
function releaseDate() {
  const commit = () =>
    spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).stdout?.trim()
  const seconds = Number(process.env.SOURCE_DATE_EPOCH || commit())
  if (!(seconds > 0)) throw new Error('Outside of a Git checkout, set SOURCE_DATE_EPOCH.')
  return new Date(seconds * 1000)
}

function say(line) {
  process.stdout.write(`${line}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      node: { type: 'string', default: testedVersions[0] },
      output: { type: 'string', default: join(root, 'release') },
    },
  })
  const node = values.node === 'none' ? undefined : values.node
  const { files } = await release({ output: resolve(values.output), node })
  say(`made ${files.join(', ')} in ${values.output}`)
}
