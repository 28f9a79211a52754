import { type RawData, WebSocket } from 'ws'
import type { Channel } from './channel.ts'

/** Heartbeat interval in milliseconds; a connection that misses one is dead. */
const beat = 3000

/** An engine at the other end of a WebSocket. */
export function socketChannel(socket: WebSocket): Channel {
  let lives = true
  const timer = setInterval(() => {
    if (!lives) {
      socket.terminate()
      return
    }
    lives = false
    socket.ping()
  }, beat)
  socket.on('pong', () => {
    lives = true
  })
  socket.on('close', () => clearInterval(timer))
  // reported by the subsequent close event
  socket.on('error', () => {})
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    },
    onMessage: (listener) => {
      socket.on('message', (data) => {
        lives = true
        const message = readJson(data)
        if (message === undefined) socket.terminate()
        else listener(message)
      })
    },
    onClose: (listener) => {
      socket.once('close', (code) => listener(`code ${code}`))
    },
    close: () => socket.terminate(),
  }
}

function readJson(data: RawData): unknown {
  try {
    return JSON.parse(textOf(data))
  } catch {
    return undefined
  }
}

/** The text of a WebSocket message, in any form that the library returns. */
export function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString()
}
