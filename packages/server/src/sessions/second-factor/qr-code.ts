import { toString as draw } from 'qrcode'

/** Renders a QR code as a data URL for pages: `data:image/svg+xml;base64,…`. */
export async function drawQrCode(text: string): Promise<string> {
  const svg = await draw(text, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' })
  return `data:image/svg+xml;base64,${Buffer.from(svg, 'utf8').toString('base64')}`
}
