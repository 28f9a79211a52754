/** Splits what a server sends into responses: lines, each with the literals that it announces. */
export class ResponseReader {
  // one character per byte, so that lengths of literals count characters
  #received = ''

  /** Adds received bytes and returns the responses that are now complete, without their line ends. */
  add(chunk: Buffer): string[] {
    this.#received += chunk.toString('latin1')
    const complete: string[] = []
    for (let end = this.#endOfResponse(); end !== undefined; end = this.#endOfResponse()) {
      complete.push(this.#received.slice(0, end))
      this.#received = this.#received.slice(end + 2)
    }
    return complete
  }

  #endOfResponse(): number | undefined {
    let from = 0
    for (;;) {
      const end = this.#received.indexOf('\r\n', from)
      if (end === -1) return undefined
      const literal = /\{(\d+)\}$/.exec(this.#received.slice(from, end))
      if (literal === null) return end
      from = end + 2 + Number(literal[1])
      if (from > this.#received.length) return undefined
    }
  }
}
