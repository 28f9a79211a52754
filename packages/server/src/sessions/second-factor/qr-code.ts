import { toString as draw } from 'qrcode'

/** A text as a picture for cameras, in the form that pages show: `data:image/svg+xml;base64,…`. */
export async function drawQrCode(text: string): Promise<string> {
  const svg = await draw(text, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' })
  return `data:image/svg+xml;base64,${Buffer.from(svg, 'utf8').toString('base64')}`
}
