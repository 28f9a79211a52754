import { PayloadTooLarge, ValidationError } from '../../platform/http/errors.ts'

/**
 * Decodes a file's bytes as a stream: UTF-8 or UTF-16 according to the byte order mark, UTF-8 without one, and
 * Windows-1252, as written by old spreadsheets, if it isn't valid UTF-8. Throws PayloadTooLarge beyond
 * `mostBytes`, and ValidationError at `file` for mixed encodings.
 */
export async function* decodeText(
  bytes: AsyncIterable<Buffer | string>,
  mostBytes: number,
): AsyncGenerator<string> {
  let seen = 0
  let head: Buffer | undefined = Buffer.alloc(0)
  let decoder = new TextDecoder('utf-8', { fatal: true })
  let isAscii = true
  const decode = (chunk: Buffer, stream: boolean): string => {
    if (decoder.encoding !== 'utf-8') return decoder.decode(chunk, { stream })
    try {
      const text = decoder.decode(chunk, { stream })
      isAscii &&= !chunk.some((byte) => byte > 127)
      return text
    } catch {
      // characters already decoded as UTF-8 would be wrong
      if (!isAscii) throw ValidationError.at('file', 'bulk.file-encoding')
      decoder = new TextDecoder('windows-1252')
      return decoder.decode(chunk, { stream })
    }
  }
  for await (const part of bytes) {
    const chunk = typeof part === 'string' ? Buffer.from(part) : part
    seen += chunk.length
    if (seen > mostBytes) throw new PayloadTooLarge()
    if (head === undefined) {
      yield decode(chunk, true)
      continue
    }
    // the byte order mark may be split across chunks
    head = Buffer.concat([head, chunk])
    if (head.length < 3) continue
    decoder = decoderOf(head)
    yield decode(head, true)
    head = undefined
  }
  yield decode(head ?? Buffer.alloc(0), false)
}

function decoderOf(head: Buffer): InstanceType<typeof TextDecoder> {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le')
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be')
  return new TextDecoder('utf-8', { fatal: true })
}
