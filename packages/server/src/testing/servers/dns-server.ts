import { createSocket, type Socket } from 'node:dgram'
import { type Socket as Connection, createServer, type Server } from 'node:net'
import {
  type Answer,
  type DecodedPacket,
  decode,
  encode,
  type Packet,
  streamEncode,
  TRUNCATED_RESPONSE,
} from 'dns-packet'

/** Failure modes of a name server for a name and its subdomains. */
export type DnsFault =
  /** Never responds. */
  | 'silent'
  | 'servfail'
  | 'refused'
  /** Sends bytes that aren't DNS. */
  | 'garbage'
  /** Answers a different question. */
  | 'other question'
  /** Answers with a different id. */
  | 'other id'
  /** CNAMEs that form a loop. */
  | 'loop'
  /** Sends a truncated UDP response, and the full one over TCP. */
  | 'truncated'
  /** Answers correctly, after so many milliseconds. */
  | { readonly late: number }

type DnsType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'SOA' | 'TXT'

/** A record as written in tests: `{ name: 'a.test', type: 'TXT', data: 'hello' }`. */
export interface DnsRecordOf {
  readonly name: string
  readonly type: DnsType
  readonly data: unknown
}

const rcodes = { noError: 0, servfail: 2, nxdomain: 3, refused: 5 } as const
const authoritative = 1 << 10

/** A real name server on loopback, over UDP and TCP, with records and faults set by the test. */
export class DnsServer implements AsyncDisposable {
  readonly #udp: Socket
  readonly #tcp: Server
  readonly #connections = new Set<Connection>()
  readonly #records: DnsRecordOf[] = []
  readonly #faults = new Map<string, DnsFault>()
  readonly #late = new Set<NodeJS.Timeout>()
  /** Queries so far, such as `TXT a.test`. */
  readonly questions: string[] = []

  private constructor(udp: Socket, tcp: Server) {
    this.#udp = udp
    this.#tcp = tcp
    udp.on('message', (bytes, from) => {
      this.#reply(bytes, 'udp', (answer) => udp.send(answer, from.port, from.address))
    })
    tcp.on('connection', (connection) => this.#serveTcp(connection))
  }

  /** Listens on a free port, or on the given one. */
  static async start(wanted = 0): Promise<DnsServer> {
    const tcp = createServer()
    await new Promise<void>((done) => tcp.listen(wanted, '127.0.0.1', done))
    const address = tcp.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const udp = createSocket('udp4')
    // the same UDP port may be taken; then the test run fails visibly
    await new Promise<void>((done, fail) => {
      udp.once('error', fail)
      udp.bind(port, '127.0.0.1', done)
    })
    return new DnsServer(udp, tcp)
  }

  /** As in `DNS_SERVERS`. */
  get address(): string {
    return `127.0.0.1:${this.#udp.address().port}`
  }

  /** Adds records. */
  add(...records: readonly DnsRecordOf[]): void {
    this.#records.push(...records)
  }

  /** Creates an empty domain. */
  zone(name: string): void {
    this.add({ name, type: 'SOA', data: soa(name) }, { name, type: 'NS', data: `ns.${name}` })
  }

  txt(name: string, ...values: readonly (string | readonly string[])[]): void {
    this.add(...values.map((data) => ({ name, type: 'TXT', data }) as const))
  }

  /** Removes everything at and below a name, including faults. */
  remove(name: string): void {
    const kept = this.#records.filter((record) => !isWithin(record.name, name))
    this.#records.splice(0, this.#records.length, ...kept)
    for (const fault of [...this.#faults.keys()]) if (isWithin(fault, name)) this.#faults.delete(fault)
  }

  /** Fails for a name and its subdomains. */
  fail(name: string, fault: DnsFault): void {
    this.#faults.set(name, fault)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#late) clearTimeout(timer)
    for (const connection of this.#connections) connection.destroy()
    await new Promise<void>((done) => this.#udp.close(() => done()))
    await new Promise<void>((done) => this.#tcp.close(() => done()))
  }

  #serveTcp(connection: Connection): void {
    this.#connections.add(connection)
    connection.on('close', () => this.#connections.delete(connection))
    connection.on('error', () => connection.destroy())
    let waiting = Buffer.alloc(0)
    connection.on('data', (bytes) => {
      waiting = Buffer.concat([waiting, bytes])
      while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
        const end = 2 + waiting.readUInt16BE(0)
        this.#reply(waiting.subarray(2, end), 'tcp', (answer) => connection.write(answer))
        waiting = waiting.subarray(end)
      }
    })
  }

  #reply(bytes: Buffer, transport: 'udp' | 'tcp', send: (answer: Buffer) => void): void {
    const asked = decode(bytes)
    const question = asked.questions?.[0]
    if (question === undefined) return
    const name = question.name.toLowerCase()
    this.questions.push(`${question.type} ${name}`)
    const fault = [...this.#faults].find(([where]) => isWithin(name, where))?.[1]
    if (fault === 'silent') return
    if (fault === 'garbage') {
      send(Buffer.from('this is no answer at all, only some bytes'))
      return
    }
    const packet = this.#packet(asked, name, question.type, fault, transport)
    const answer = transport === 'tcp' ? streamEncode(packet) : encode(packet)
    if (typeof fault !== 'object') {
      send(answer)
      return
    }
    const timer = setTimeout(() => {
      this.#late.delete(timer)
      send(answer)
    }, fault.late)
    this.#late.add(timer)
  }

  #packet(
    asked: DecodedPacket,
    name: string,
    type: string,
    fault: DnsFault | undefined,
    transport: 'udp' | 'tcp',
  ): Packet {
    const reply = (rcode: number, answers: readonly DnsRecordOf[] = []): Packet => ({
      type: 'response',
      id: asked.id,
      flags: authoritative | rcode,
      questions: asked.questions,
      answers: answers.map((record) => ({ ...record, ttl: 60 }) as Answer), // tests write data in the type's format
    })
    if (fault === 'servfail') return reply(rcodes.servfail)
    if (fault === 'refused') return reply(rcodes.refused)
    if (fault === 'loop') {
      const other = `loop.${name}`
      return reply(rcodes.noError, [
        { name, type: 'CNAME', data: other },
        { name: other, type: 'CNAME', data: name },
      ])
    }
    if (fault === 'truncated' && transport === 'udp') {
      const empty = reply(rcodes.noError)
      return { ...empty, flags: authoritative | TRUNCATED_RESPONSE }
    }
    const found = this.#find(name, type)
    const answer = reply(found === undefined ? rcodes.nxdomain : rcodes.noError, found)
    if (fault === 'other id') return { ...answer, id: ((asked.id ?? 0) + 1) % 65_536 }
    if (fault === 'other question') {
      const elsewhere = [{ name: 'elsewhere.test', type: 'TXT', class: 'IN' }] as const
      return { ...answer, questions: [...elsewhere] }
    }
    return answer
  }

  /** Returns a name's records, following wildcards and aliases; undefined if the name doesn't exist. */
  #find(name: string, type: string, depth = 0): DnsRecordOf[] | undefined {
    const own = this.#at(name)
    if (own.length === 0) {
      return this.#records.some((record) => isWithin(record.name, name)) ? [] : undefined
    }
    const alias = own.find((record) => record.type === 'CNAME')
    if (alias === undefined || type === 'CNAME' || depth > 8) return own.filter((one) => one.type === type)
    return [alias, ...(this.#find(String(alias.data).toLowerCase(), type, depth + 1) ?? [])]
  }

  #at(name: string): DnsRecordOf[] {
    const own = this.#records.filter((record) => record.name === name)
    if (own.length > 0) return own
    const parent = name.slice(name.indexOf('.') + 1)
    return this.#records
      .filter((record) => record.name === `*.${parent}`)
      .map((record) => ({ ...record, name }))
  }
}

function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`)
}

function soa(name: string) {
  return {
    mname: `ns.${name}`,
    rname: `hostmaster.${name}`,
    serial: 1,
    refresh: 3600,
    retry: 600,
    expire: 86_400,
    minimum: 60,
  }
}
