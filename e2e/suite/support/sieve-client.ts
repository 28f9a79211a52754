import { connect } from 'node:net'
import { suite } from './suite.ts'

/** Signs in to ManageSieve through nginx. Returns the server's answer: its first word is OK or NO. */
export function signInToSieve(user: string, password: string): Promise<string> {
  const proof = Buffer.from(`\0${user}\0${password}`).toString('base64')
  return new Promise((resolve, reject) => {
    const socket = connect(suite().ports.sieve, '127.0.0.1')
    let received = ''
    let isGreeted = false
    socket.once('error', reject)
    socket.on('data', (bytes) => {
      received += bytes.toString()
      const answer = /^(OK|NO|BYE).*\r\n/m.exec(received)
      if (answer === null) return
      received = ''
      if (isGreeted) {
        // the server doesn't like to be left without a word
        socket.end('LOGOUT\r\n')
        resolve(answer[0].trim())
      } else {
        isGreeted = true
        socket.write(`AUTHENTICATE "PLAIN" "${proof}"\r\n`)
      }
    })
  })
}
