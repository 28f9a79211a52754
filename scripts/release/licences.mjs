// Licences of the packages in a release: which ones we accept, and the notices that they ask for.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** SPDX ids. All allow distribution with the MIT-licensed product if the notices are included. */
const accepted = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'CC0-1.0',
  ],
  ...['Python-2.0', 'OFL-1.1'],
  // unchanged, in files and libraries of their own
  ...['MPL-2.0', 'LGPL-3.0-or-later'],
])

/** What packages state incorrectly or only in other files, by name and stated licence. */
const corrections = new Map([
  ['png-js ', 'MIT'],
  ['combine-errors ', 'MIT'],
  ['node-datachannel MPL 2.0', 'MPL-2.0'],
  ['@node-datachannel/linux-x64-gnu MPL 2.0', 'MPL-2.0'],
])

/** Texts for packages without a licence file, by SPDX id. */
const textFolder = join(import.meta.dirname, 'licence-texts')

const licenceFile = /(?:^|[_-])(?:licen[cs]e|copying|notice|ofl)/i

/** The licence of a package isn't known or isn't accepted. */
export class LicenceError extends Error {
  name = 'LicenceError'
}

/**
 * Returns the SPDX expression of an installed package. Throws LicenceError if it's missing or not accepted.
 * @param {{ name: string, license?: unknown }} manifest
 * @returns {string}
 */
export function licenceOf({ name, license }) {
  const stated = typeof license === 'string' ? license : ''
  const expression = corrections.get(`${name} ${stated}`) ?? stated
  if (expression === '') throw new LicenceError(`${name} states no licence.`)
  if (!isAccepted(expression))
    throw new LicenceError(`${name} has the licence ${expression}, which isn't accepted.`)
  return expression
}

/** Accepts alternatives if one of them is accepted, and combinations if all are. */
function isAccepted(expression) {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((id) => accepted.has(id)))
}

/**
 * Returns the text of THIRD-PARTY-NOTICES.txt.
 * @param {string} root
 * @param {readonly (import('./components.mjs').Component & { licence: string })[]} components
 */
export function noticesOf(root, components) {
  const head = [
    'THIRD-PARTY NOTICES',
    '',
    `Gatehouse contains ${components.length} packages of other authors, unchanged. Each is listed below with its licence.`,
    'The source code of packages under the MPL-2.0 and the LGPL-3.0 is available at the addresses shown with them.',
    'The country database uses data of nro.net (CC BY 4.0).',
  ].join('\n')
  return `${[head, ...components.map((component) => noticeOf(root, component))].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function noticeOf(root, { name, version, path, licence }) {
  const folder = join(root, path)
  const { author, repository, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const source = repository?.url ?? repository ?? homepage
  const lines = [`${name} ${version}`, `Licence: ${licence}`]
  if (source !== undefined) lines.push(`Source: ${String(source).replace(/^git\+/, '')}`)
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && licenceFile.test(file.name))
    .map((file) => file.name)
    .sort()
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length > 0) return [lines.join('\n'), ...texts].join('\n\n')
  const holder = author?.name ?? author
  if (holder !== undefined) lines.push(`Author: ${holder}`)
  return [lines.join('\n'), ...standardTexts(name, licence)].join('\n\n')
}

function standardTexts(name, licence) {
  return licence.split(/ AND | OR /).map((id) => {
    try {
      return readFileSync(join(textFolder, `${id}.txt`), 'utf8').trim()
    } catch (error) {
      throw new LicenceError(
        `${name} contains no text of its licence ${id}, and there is no copy of it here.`,
        {
          cause: error,
        },
      )
    }
  })
}
