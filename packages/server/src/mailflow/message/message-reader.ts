import { type ParameterisedValue, parseParameterised } from './content-type.ts'
import { HeaderCollector, type HeaderField, headerValues } from './header-fields.ts'
import { type MessageLimits, messageLimits } from './message-limits.ts'

/** A part that isn't a multipart. Messages that are attached to the message are such parts too: they aren't opened. */
export interface MessagePart {
  /** Numbers of the parts that lead to it, from 1, as in IMAP: `2.1`; `1` when the message has a single part. */
  readonly path: string
  readonly fields: readonly HeaderField[]
  readonly contentType: ParameterisedValue
  readonly encoding: string
  /** Bytes of the content in its transfer encoding. */
  readonly size: number
  /** The content in its transfer encoding; undefined when it wasn't asked for. */
  readonly content: Buffer | undefined
  /** The content is whole, not cut at a limit. */
  readonly isWhole: boolean
}

/** What was read of a message. */
export interface Message {
  readonly fields: readonly HeaderField[]
  readonly parts: readonly MessagePart[]
  /** Bytes that were read. */
  readonly size: number
  /** A limit on header fields, parts or depth was exceeded. */
  readonly isTruncated: boolean
}

/** Which contents to keep. */
export type PartFilter = (part: Pick<MessagePart, 'path' | 'fields' | 'contentType'>) => boolean

interface OpenPart {
  readonly path: string
  readonly fields: readonly HeaderField[]
  readonly contentType: ParameterisedValue
  readonly content: ContentBuffer | undefined
  size: number
  isWhole: boolean
}

interface Level {
  readonly boundary: Buffer
  readonly path: string
  parts: number
}

/** A boundary has 70 characters at most (RFC 2046 §5.1.1); some programs write longer ones. */
const longestBoundary = 200
const nothing = Buffer.alloc(0)
/** Lines from which a boundary can be told; the rest of longer ones passes through. */
const longestLine = 2 * longestBoundary

/**
 * Reads a message as it comes in: `write` the raw message, or first `addField` for each header field and `endHeader`, then
 * `write` the body. Memory stays within the limits, whatever the size of the message.
 */
export class MessageReader {
  private readonly limits: MessageLimits
  private readonly parts: MessagePart[] = []
  private readonly levels: Level[] = []
  private header: HeaderCollector
  private headerPath = ''
  private topFields: readonly HeaderField[] = []
  private state: 'header' | 'content' | 'skip' | 'full' = 'header'
  private part: OpenPart | undefined
  private pending: Buffer[] = []
  private pendingSize = 0
  /** The rest of a line whose start was taken already. */
  private isInsideLine = false
  /** The line break before a boundary belongs to the boundary. */
  private lineBreak = nothing
  private totalKept = 0
  private boundaryLines = 0
  private size = 0
  private isTruncated = false

  constructor(
    private readonly wants: PartFilter = () => false,
    limits: Partial<MessageLimits> = {},
  ) {
    this.limits = { ...messageLimits, ...limits }
    this.header = new HeaderCollector(this.limits)
  }

  addField(name: string, value: Buffer): void {
    this.size += name.length + value.length + 4
    this.header.addField(name, value)
  }

  endHeader(): void {
    this.finishHeader()
  }

  write(chunk: Buffer): void {
    this.size += chunk.length
    let start = 0
    while (start < chunk.length && this.state !== 'full') {
      const isContent = this.state !== 'header' && this.pendingSize === 0
      if (isContent && (this.isInsideLine || chunk[start] !== 0x2d)) {
        const at = chunk.indexOf('\n--', start)
        // the last two bytes may be the start of a boundary
        const end = at < 0 ? chunk.length - 2 : at
        if (end > start) {
          this.takeContent(chunk.subarray(start, end))
          this.isInsideLine = true
          start = end
        }
      }
      const newline = chunk.indexOf(0x0a, start)
      const end = newline < 0 ? chunk.length : newline + 1
      this.takePiece(chunk.subarray(start, end), newline >= 0)
      start = end
    }
  }

  /** Ends the message. Parts that were open are kept as far as they came. */
  end(): Message {
    if (this.pendingSize > 0 && this.state !== 'full') this.takeLine(Buffer.concat(this.pending))
    if (this.state === 'header') this.finishHeader()
    this.closePart()
    return { fields: this.topFields, parts: this.parts, size: this.size, isTruncated: this.isTruncated }
  }

  private takePiece(piece: Buffer, isEnd: boolean): void {
    if (this.isInsideLine) {
      this.takeContent(piece)
      this.isInsideLine = !isEnd
      return
    }
    const longest = this.state === 'header' ? this.limits.fieldSize + 2 : longestLine
    if (isEnd && this.pendingSize === 0) this.takeLine(piece)
    else {
      const kept = this.state === 'header' ? piece.subarray(0, longest - this.pendingSize) : piece
      // chunks belong to the socket
      if (kept.length > 0) this.pending.push(Buffer.from(kept))
      if (kept.length < piece.length) this.isTruncated = true
      this.pendingSize += kept.length
      if (isEnd || (this.state !== 'header' && this.pendingSize > longest)) {
        const line = Buffer.concat(this.pending)
        this.pending = []
        this.pendingSize = 0
        this.isInsideLine = !isEnd
        this.takeLine(line)
      }
    }
  }

  private takeLine(line: Buffer): void {
    if (this.state === 'header') {
      const text = withoutBreak(line)
      if (text.length === 0) this.finishHeader()
      else if (this.levels.length === 0 || !this.takeBoundary(line)) this.header.addLine(text)
    } else if (!this.takeBoundary(line)) this.takeContent(line)
  }

  private takeContent(bytes: Buffer): void {
    if (this.part === undefined) return
    if (this.part.content === undefined) {
      this.part.size += bytes.length
      return
    }
    const isRestOfBreak = bytes[0] === 0x0a && this.lineBreak.length === 1 && this.lineBreak[0] === 0x0d
    const whole = isRestOfBreak ? Buffer.concat([this.lineBreak, bytes]) : bytes
    const text = withoutBreak(whole)
    if (!isRestOfBreak) this.keep(this.lineBreak)
    this.keep(text)
    // a copy, because chunks belong to the socket
    this.lineBreak = text.length === whole.length ? nothing : Buffer.from(whole.subarray(text.length))
  }

  private keep(bytes: Buffer): void {
    const { part } = this
    if (part?.content === undefined || bytes.length === 0) return
    part.size += bytes.length
    const { contentSize, totalContentSize } = this.limits
    const room = Math.min(contentSize - part.content.length, totalContentSize - this.totalKept)
    if (bytes.length > room) part.isWhole = false
    if (room <= 0) return
    const kept = bytes.subarray(0, room)
    part.content.add(kept)
    this.totalKept += kept.length
  }

  /** Handles a line that is a boundary of an open multipart, the innermost first; an outer one ends those inside. */
  private takeBoundary(line: Buffer): boolean {
    if (line[0] !== 0x2d || line[1] !== 0x2d || line.length > longestLine) return false
    this.boundaryLines++
    if (this.boundaryLines > this.limits.boundaryLines) return this.stop()
    const text = trimmedEnd(line)
    for (let index = this.levels.length - 1; index >= 0; index--) {
      const level = this.levels[index]
      if (level === undefined) break
      const { boundary } = level
      if (!text.subarray(2, 2 + boundary.length).equals(boundary)) continue
      const rest = text.subarray(2 + boundary.length)
      const isLast = rest.length === 2 && rest[0] === 0x2d && rest[1] === 0x2d
      if (rest.length > 0 && !isLast) continue
      if (this.state === 'header' && this.finishHeader() === 'full') return true
      this.closePart()
      this.levels.length = isLast ? index : index + 1
      this.state = isLast ? 'skip' : 'header'
      if (!isLast) this.startPart(level)
      return true
    }
    return false
  }

  /** Leaves the rest of the message unread. */
  private stop(): true {
    this.isTruncated = true
    this.closePart()
    this.state = 'full'
    return true
  }

  private startPart(level: Level): void {
    level.parts++
    this.headerPath = level.path === '' ? String(level.parts) : `${level.path}.${level.parts}`
    this.header = new HeaderCollector(this.limits)
  }

  /** Returns how the message goes on. */
  private finishHeader(): 'content' | 'skip' | 'full' {
    this.header.finish()
    const { fields, isTruncated } = this.header
    if (isTruncated) this.isTruncated = true
    if (this.headerPath === '') this.topFields = fields
    const contentType = parseParameterised(headerValues(fields, 'Content-Type')[0] ?? 'text/plain')
    const boundary = contentType.parameters.get('boundary') ?? ''
    const isMultipart = contentType.value.startsWith('multipart/') && boundary !== ''
    const isOpened =
      isMultipart && this.levels.length < this.limits.depth && boundary.length <= longestBoundary
    if (isMultipart && !isOpened) this.isTruncated = true
    if (isOpened) {
      // white space at the end of boundaries is removed by relays
      const bytes = Buffer.from(boundary.trimEnd())
      this.levels.push({ boundary: bytes, path: this.headerPath, parts: 0 })
      return this.goOn('skip')
    }
    if (this.parts.length >= this.limits.parts) {
      this.stop()
      return 'full'
    }
    this.openPart(this.headerPath === '' ? '1' : this.headerPath, fields, contentType)
    return this.goOn('content')
  }

  private goOn<State extends 'content' | 'skip'>(state: State): State {
    this.state = state
    return state
  }

  private openPart(path: string, fields: readonly HeaderField[], contentType: ParameterisedValue): void {
    const isWanted = this.wants({ path, fields, contentType })
    this.part = {
      path,
      fields,
      contentType,
      content: isWanted ? new ContentBuffer() : undefined,
      size: 0,
      isWhole: true,
    }
  }

  private closePart(): void {
    const { part } = this
    this.part = undefined
    this.lineBreak = nothing
    if (part === undefined) return
    const [encoding = ''] = headerValues(part.fields, 'Content-Transfer-Encoding')
    this.parts.push({
      path: part.path,
      fields: part.fields,
      contentType: part.contentType,
      encoding: (/^[^\s;(]*/.exec(encoding)?.[0] ?? '').toLowerCase(),
      size: part.size,
      content: part.content?.bytes(),
      isWhole: part.isWhole,
    })
  }
}

/** Bytes that grow: many small buffers would take far more memory than their content. */
class ContentBuffer {
  length = 0
  private buffer = Buffer.alloc(1024)

  add(bytes: Buffer): void {
    const needed = this.length + bytes.length
    if (needed > this.buffer.length) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.buffer.length))
      this.buffer.copy(larger, 0, 0, this.length)
      this.buffer = larger
    }
    bytes.copy(this.buffer, this.length)
    this.length = needed
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }
}

/** Reads a message that is in memory. */
export function readMessage(raw: Buffer, wants?: PartFilter, limits?: Partial<MessageLimits>): Message {
  const reader = new MessageReader(wants, limits)
  reader.write(raw)
  return reader.end()
}

function withoutBreak(line: Buffer): Buffer {
  let end = line.length
  if (line[end - 1] === 0x0a) end--
  if (line[end - 1] === 0x0d) end--
  return line.subarray(0, end)
}

function trimmedEnd(line: Buffer): Buffer {
  let end = line.length
  for (; end > 0; end--) {
    const byte = line[end - 1]
    if (byte !== 0x0a && byte !== 0x0d && byte !== 0x20 && byte !== 0x09) break
  }
  return line.subarray(0, end)
}
