/** The latest packets of a stream by number, for retransmissions to all its receivers. */
export class PacketRing {
  static readonly capacity = 512
  readonly #packets: (Buffer | undefined)[] = new Array(PacketRing.capacity)

  /** Stores a copy. */
  add(sequence: number, packet: Buffer): void {
    this.#packets[sequence % PacketRing.capacity] = Buffer.from(packet)
  }

  /** Returns a mutable copy; undefined if it never arrived or was overwritten. */
  get(sequence: number): Buffer | undefined {
    const packet = this.#packets[sequence % PacketRing.capacity]
    return packet?.readUInt16BE(2) === sequence ? Buffer.from(packet) : undefined
  }

  clear(): void {
    this.#packets.fill(undefined)
  }
}
