import { encodePacket, type Packet, terminated, uint32 } from '../milter/packets.ts'
import { type TakeReply, TestClient } from './test-client.ts'

/** The next packet of a milter. */
export const takePacket: TakeReply<Packet> = (received) => {
  if (received.length < 4) return undefined
  const end = 4 + received.readUInt32BE(0)
  if (received.length < end) return undefined
  return [{ command: received.toString('latin1', 4, 5), data: Buffer.from(received.subarray(5, end)) }, end]
}

/** Packets as Postfix sends them. */
export const say = {
  negotiate: (steps = 0x1fffff, actions = 0x1ff) =>
    encodePacket('O', uint32(6), uint32(actions), uint32(steps)),
  macros: (stage: string, macros: Readonly<Record<string, string>>) =>
    encodePacket('D', Buffer.from(stage), ...Object.entries(macros).flat().map(terminated)),
  connect: () =>
    encodePacket('C', terminated('client.test'), Buffer.from('4\xc0\x01', 'latin1'), terminated('192.0.2.1')),
  helo: () => encodePacket('H', terminated('client.test')),
  mail: (address: string) => encodePacket('M', terminated(`<${address}>`), terminated('SIZE=100')),
  recipient: (address: string) => encodePacket('R', terminated(`<${address}>`)),
  data: () => encodePacket('T'),
  header: (name: string, value: string) => encodePacket('L', terminated(name), terminated(value)),
  endOfHeaders: () => encodePacket('N'),
  body: (chunk: string | Uint8Array) => encodePacket('B', Buffer.from(chunk)),
  end: (chunk: string | Uint8Array = '') => encodePacket('E', Buffer.from(chunk)),
  abort: () => encodePacket('A'),
  quit: () => encodePacket('Q'),
  nextConnection: () => encodePacket('K'),
}

/** The mail server's side of a milter connection. */
export class MilterClient {
  readonly tcp: TestClient

  private constructor(tcp: TestClient) {
    this.tcp = tcp
  }

  /** Connects and negotiates. */
  static async connect(port: number, steps?: number): Promise<MilterClient> {
    const client = new MilterClient(await TestClient.connect(port))
    await client.ask(say.negotiate(steps))
    return client
  }

  send(...packets: readonly Uint8Array[]): void {
    this.tcp.send(Buffer.concat(packets))
  }

  /** Sends packets of which the last one gets a reply: the command of the reply and its text; `closed` if there is none. */
  async ask(...packets: readonly Uint8Array[]): Promise<string> {
    this.send(...packets)
    return await this.reply()
  }

  async reply(): Promise<string> {
    const packet = await this.tcp.receive(takePacket)
    return packet === undefined ? 'closed' : `${packet.command}${packet.data.toString('latin1')}`
  }

  /** All replies up to the one that ends a message. */
  async verdict(): Promise<string[]> {
    const replies: string[] = []
    for (;;) {
      const reply = await this.reply()
      replies.push(reply)
      if ('acdrty'.includes(reply.charAt(0)) || reply === 'closed') return replies
    }
  }
}
