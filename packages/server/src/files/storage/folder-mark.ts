import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { noteFolderMark, readFolderMark } from './folder-mark-store.ts'

/** File in the content folder that identifies its installation. */
export const markFile = 'gatehouse-files'

/** The folder isn't the one recorded in the database, or can't be used. The message says what to do. */
export class WrongFolder extends Error {
  override name = 'WrongFolder'
}

/**
 * Compares the mark in the content folder with the one in the database, and creates both at the first start.
 * An unmounted folder or another machine's would accept new files but lack all old ones. Throws WrongFolder.
 */
export async function checkFolder(db: Db, folder: string): Promise<void> {
  const known = await readFolderMark(db)
  const found = await usable(folder, () => readMark(folder))
  if (known === undefined) {
    // the folder first, so that an interrupted start is completed with the folder's mark
    await noteFolderMark(db, found ?? (await usable(folder, () => makeMark(folder))))
    // several processes may start concurrently, each with its own folder
    return checkFolder(db, folder)
  }
  if (found === known) return
  const problem = found === undefined ? 'has no mark of any installation' : 'belongs to another installation'
  throw new WrongFolder(
    `FILES_FOLDER: ${folder} is not the folder with the files of this database: it ${problem}. Mount or restore the right one; if this is the right one, write ${known} into ${join(folder, markFile)}.`,
  )
}

/** Accesses a folder; maps a lack of permission to WrongFolder. */
async function usable<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new WrongFolder(`FILES_FOLDER: the folder ${folder} can't be used (${code}).`, { cause: error })
  }
}

async function readMark(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, markFile), 'utf8')).trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Marks a folder unless another process already has. */
async function makeMark(folder: string): Promise<string> {
  const mark = newUuid()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `${markFile}.${mark}`)
  await writeFile(draft, `${mark}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, join(folder, markFile))
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  return (await readMark(folder)) ?? mark
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
