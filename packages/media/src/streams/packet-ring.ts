/** The newest packets of a stream, by their number; all receivers of the stream are sent again from here. */
export class PacketRing {
  static readonly capacity = 512
  readonly #packets: (Buffer | undefined)[] = new Array(PacketRing.capacity)

  /** Keeps a copy. */
  add(sequence: number, packet: Buffer): void {
    this.#packets[sequence % PacketRing.capacity] = Buffer.from(packet)
  }

  /** A copy that may be changed; undefined: it never came, or others have taken its place. */
  get(sequence: number): Buffer | undefined {
    const packet = this.#packets[sequence % PacketRing.capacity]
    return packet?.readUInt16BE(2) === sequence ? Buffer.from(packet) : undefined
  }

  clear(): void {
    this.#packets.fill(undefined)
  }
}
