import type { FolderUse } from '@gatehouse/contract/mail/import-terms'
import { expect, test } from 'vitest'
import type { ListedFolder } from '../imap/folder-list.ts'
import { mapFolders } from './folder-mapping.ts'

const targets = new Map<FolderUse, string>([
  ['inbox', 'INBOX'],
  ['sent', 'Sent'],
  ['drafts', 'Drafts'],
  ['trash', 'Trash'],
  ['junk', 'Spam'],
  ['archive', 'Archive'],
])

const folder = (path: string, ...attributes: string[]): ListedFolder => ({
  name: path,
  path: path.split('/'),
  attributes: new Set(attributes),
})

const mapped = (folders: readonly ListedFolder[], foreign: readonly string[] = []) =>
  mapFolders(folders, targets, foreign).map(({ target, isIncluded }) => (isIncluded ? target : `(${target})`))

test.each<[string, ListedFolder[], string[]]>([
  ['the inbox in any case', [folder('Inbox')], ['INBOX']],
  ['marked folders', [folder('Sent Stuff', '\\sent'), folder('Müll', '\\trash')], ['Sent', 'Trash']],
  [
    'known names in four languages',
    [folder('Entwürfe'), folder('Corbeille'), folder('Posta inviata')],
    ['Drafts', 'Trash', 'Sent'],
  ],
  ['a known name beside a marked folder', [folder('A', '\\sent'), folder('Gesendet')], ['Sent', 'Gesendet']],
  ['folders below the inbox', [folder('INBOX/Sent'), folder('INBOX/Work/2025')], ['Sent', 'Work/2025']],
  [
    'views of other folders',
    [folder('[Gmail]/All Mail', '\\all'), folder('[Gmail]/Starred', '\\flagged')],
    ['([Gmail]/All Mail)', '([Gmail]/Starred)'],
  ],
  ['names that differ by case', [folder('work'), folder('Work')], ['work', 'Work']],
  ['names that are equal after replacing characters', [folder('a*b'), folder('a%b')], ['a_b', 'a_b (2)']],
  [
    'reserved names',
    [folder('Other Users/x'), folder('#news'), folder('  ')],
    ['Other Users_/x', '_news', '_'],
  ],
])('maps %s', (_, folders, expected) => {
  expect(mapped(folders)).toEqual(expected)
})

test('leaves out the folders of others', () => {
  expect(mapped([folder('Shared/Team'), folder('Own')], ['Shared/'])).toEqual(['(Shared/Team)', 'Own'])
})
