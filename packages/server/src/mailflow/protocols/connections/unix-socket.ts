import { chmod, lstat, rename, unlink } from 'node:fs/promises'
import { connect, type Server } from 'node:net'

/** The path can't be used: another process listens on it, or it isn't a socket. */
export class SocketUnavailable extends Error {
  override name = 'SocketUnavailable'
}

/**
 * Listens on a UNIX socket with a mode such as 0o660. Replaces a stale socket of a killed process. Throws
 * `SocketUnavailable` if another process listens on the path or it isn't a socket. The socket is renamed to its path after
 * its mode is set. Returns a function that removes it, unless another process has replaced it.
 */
export async function listenOnPath(server: Server, path: string, mode: number): Promise<() => Promise<void>> {
  await checkFree(path)
  const early = `${path}.${process.pid}`
  await unlink(early).catch(ignoreMissing)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(early, () => {
      server.off('error', reject)
      resolve()
    })
  })
  try {
    await chmod(early, mode)
    const { ino } = await lstat(early)
    await rename(early, path)
    return async () => {
      const now = await lstat(path).catch(ignoreMissing)
      if (now?.ino === ino) await unlink(path).catch(ignoreMissing)
    }
  } catch (error) {
    server.close()
    throw error
  }
}

async function checkFree(path: string): Promise<void> {
  const found = await lstat(path).catch(ignoreMissing)
  if (found === undefined) return
  if (!found.isSocket()) throw new SocketUnavailable(`${path} is not a socket`)
  if (await isServed(path)) throw new SocketUnavailable(`${path} is in use by another process`)
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false)
      // a full backlog: a process listens
      else if (error.code === 'EAGAIN') resolve(true)
      else reject(error)
    })
  })
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
