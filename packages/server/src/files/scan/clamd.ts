import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Milliseconds without any response from the scanner. */
const longestSilence = 120_000

/** The scanner's verdict. `unscannable`: the content exceeds the scanner's size limit. */
export type Verdict =
  | { readonly is: 'clean' | 'unscannable' }
  | { readonly is: 'infected'; readonly what: string }

/** The scanner doesn't respond, or violates its protocol. */
export class ScannerFailed extends Error {
  override name = 'ScannerFailed'
}

/** `host:port`, `[address]:port` or the path of a socket. */
export function scannerAddress(setting: string): { path: string } | { host: string; port: number } {
  if (setting.startsWith('/')) return { path: setting }
  const [, bracketed, plain, port = ''] = /^(?:\[(.+)\]|(.+)):(\d+)$/.exec(setting) ?? []
  return { host: bracketed ?? plain ?? '', port: Number(port) }
}

/** Scans content with a ClamAV daemon, using the INSTREAM command of its protocol. */
export async function scan(address: string, content: AsyncIterable<Uint8Array>): Promise<Verdict> {
  const socket = connect(scannerAddress(address))
  socket.setTimeout(longestSilence, () => socket.destroy(new Error('no response')))
  let said = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const over = once(socket, 'close')
  // the awaiting code handles the failure
  over.catch(() => undefined)
  try {
    await once(socket, 'connect')
    await send(socket, content, () => said !== '')
    await over
  } catch (error) {
    // a scanner that exceeds its size limit replies and closes the connection
    if (said === '') throw new ScannerFailed(String(error))
  } finally {
    socket.destroy()
  }
  return verdict(said)
}

async function send(
  socket: Socket,
  content: AsyncIterable<Uint8Array>,
  isDone: () => boolean,
): Promise<void> {
  socket.write('zINSTREAM\0')
  for await (const part of content) {
    if (isDone()) return
    const length = Buffer.alloc(4)
    length.writeUInt32BE(part.length)
    socket.write(length)
    if (!socket.write(part)) await once(socket, 'drain')
  }
  socket.write(Buffer.alloc(4))
}

function verdict(said: string): Verdict {
  const text = said.replace(/\0.*$/s, '').trim()
  const [, what] = /^stream: (.{1,200}) FOUND$/.exec(text) ?? []
  if (what !== undefined) return { is: 'infected', what }
  if (text === 'stream: OK') return { is: 'clean' }
  if (text.includes('size limit exceeded')) return { is: 'unscannable' }
  throw new ScannerFailed(text.slice(0, 200))
}
