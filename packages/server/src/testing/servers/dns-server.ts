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

/** Ways in which a name server goes wrong for a name and everything below it. */
export type DnsFault =
  /** Never answers. */
  | 'silent'
  | 'servfail'
  | 'refused'
  /** Sends bytes that are no DNS. */
  | 'garbage'
  /** Answers another question than the one that was asked. */
  | 'other question'
  /** Answers under another number than the question had. */
  | 'other id'
  /** Names that are aliases of each other. */
  | 'loop'
  /** Says by UDP that the answer is too long, and gives it by TCP. */
  | 'truncated'

type DnsType = 'A' | 'CNAME' | 'MX' | 'NS' | 'SOA' | 'TXT'

/** A record as tests write it: `{ name: 'a.test', type: 'TXT', data: 'hello' }`. */
export interface DnsRecordOf {
  readonly name: string
  readonly type: DnsType
  readonly data: unknown
}

const rcodes = { noError: 0, servfail: 2, nxdomain: 3, refused: 5 } as const
const authoritative = 1 << 10

/** A real name server on loopback, over UDP and TCP, that knows what a test tells it and misbehaves when told. */
export class DnsServer implements AsyncDisposable {
  readonly #udp: Socket
  readonly #tcp: Server
  readonly #connections = new Set<Connection>()
  readonly #records: DnsRecordOf[] = []
  readonly #faults = new Map<string, DnsFault>()
  /** Questions so far, as `TXT a.test`. */
  readonly questions: string[] = []

  private constructor(udp: Socket, tcp: Server) {
    this.#udp = udp
    this.#tcp = tcp
    udp.on('message', (bytes, from) => {
      const answer = this.#answer(bytes, 'udp')
      if (answer !== undefined) udp.send(answer, from.port, from.address)
    })
    tcp.on('connection', (connection) => this.#serveTcp(connection))
  }

  /** Listens on a port of its own, or on one that was chosen before. */
  static async start(wanted = 0): Promise<DnsServer> {
    const tcp = createServer()
    await new Promise<void>((done) => tcp.listen(wanted, '127.0.0.1', done))
    const address = tcp.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const udp = createSocket('udp4')
    // somebody else may hold the same number for UDP; a test run that meets this fails loudly
    await new Promise<void>((done, fail) => {
      udp.once('error', fail)
      udp.bind(port, '127.0.0.1', done)
    })
    return new DnsServer(udp, tcp)
  }

  /** As `DNS_SERVERS` names it. */
  get address(): string {
    return `127.0.0.1:${this.#udp.address().port}`
  }

  /** Puts records into the DNS. */
  add(...records: readonly DnsRecordOf[]): void {
    this.#records.push(...records)
  }

  /** Makes a domain exist, with nothing in it. */
  zone(name: string): void {
    this.add({ name, type: 'SOA', data: soa(name) }, { name, type: 'NS', data: `ns.${name}` })
  }

  txt(name: string, ...values: readonly (string | readonly string[])[]): void {
    this.add(...values.map((data) => ({ name, type: 'TXT', data }) as const))
  }

  /** Takes everything at a name and below it out of the DNS, faults too. */
  remove(name: string): void {
    const kept = this.#records.filter((record) => !isWithin(record.name, name))
    this.#records.splice(0, this.#records.length, ...kept)
    for (const fault of [...this.#faults.keys()]) if (isWithin(fault, name)) this.#faults.delete(fault)
  }

  /** Goes wrong for a name and everything below it. */
  fail(name: string, fault: DnsFault): void {
    this.#faults.set(name, fault)
  }

  async [Symbol.asyncDispose](): Promise<void> {
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
        const answer = this.#answer(waiting.subarray(2, end), 'tcp')
        waiting = waiting.subarray(end)
        if (answer !== undefined) connection.write(answer)
      }
    })
  }

  #answer(bytes: Buffer, transport: 'udp' | 'tcp'): Buffer | undefined {
    const asked = decode(bytes)
    const question = asked.questions?.[0]
    if (question === undefined) return undefined
    const name = question.name.toLowerCase()
    this.questions.push(`${question.type} ${name}`)
    const fault = [...this.#faults].find(([where]) => isWithin(name, where))?.[1]
    if (fault === 'silent') return undefined
    if (fault === 'garbage') return Buffer.from('this is no answer at all, only some bytes')
    const packet = this.#packet(asked, name, question.type, fault, transport)
    return transport === 'tcp' ? streamEncode(packet) : encode(packet)
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
      answers: answers.map((record) => ({ ...record, ttl: 60 }) as Answer), // tests write data of the type's form
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

  /** The records of a name, wildcards and aliases followed; undefined: there is no such name. */
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
