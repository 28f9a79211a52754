import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import yauzl from 'yauzl'
import type { FileOwner } from '../../testing/files.ts'
import { pathOf } from '../../testing/files.ts'
import type { TestApp } from '../../testing/test-app.ts'

/** Exports as their user sees them. */
export interface ExportDesk {
  /** Requests an export, runs it and returns its id. */
  readonly make: (kind: 'person' | 'account') => Promise<string>
  readonly list: () => Promise<{ id: string; state: string; size: number; kind: string; objects: number }[]>
  /** Returns the path of a new download URL. */
  readonly downloadPath: (id: string) => Promise<string>
  /** Downloads an archive into a file and returns its name. */
  readonly save: (id: string) => Promise<string>
}

let saved = 0

export function exportDesk(app: TestApp, { call }: Pick<FileOwner, 'call'>): ExportDesk {
  const downloadPath: ExportDesk['downloadPath'] = async (id) => {
    const { status, body } = await call(`POST /api/v4/exports/${id}/download`)
    if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`)
    return pathOf(body.downloadUrl)
  }
  return {
    downloadPath,
    make: async (kind) => {
      const { status, body } = await call('POST /api/v4/exports', { body: { kind } })
      if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`)
      await app.jobs.drain()
      return body.id
    },
    list: async () => (await call('GET /api/v4/exports')).body.list,
    save: async (id) => {
      const { rawPayload } = await app.fastify.inject({
        ...{ method: 'GET', url: await downloadPath(id), headers: { host: 'localhost:8000' } },
      })
      const file = join(app.dataDir, `export-${saved++}.zip`)
      await writeFile(file, rawPayload)
      return file
    },
  }
}

/** Returns the texts of an archive by path, in its order. */
export async function unpack(file: string): Promise<Map<string, string>> {
  const zip = await yauzl.openPromise(file)
  const found = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    found.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  }
  return found
}

/** Returns the records of a file with one JSON object per line. */
export function records(content: string | undefined): Record<string, unknown>[] {
  return (content ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>) // tests compare its fields
}
