import sharp, { type Sharp } from 'sharp'

export type Colour = readonly [red: number, green: number, blue: number]
export type Size = { readonly width: number; readonly height: number }
type Point = readonly [x: number, y: number]

/** Digits after the point that no eye misses. */
const short = (value: number): string => value.toFixed(2)
export const rgb = (colour: Colour): string =>
  `rgb(${colour.map(part => Math.max(0, Math.min(255, Math.round(part)))).join(',')})`

/** A line through points, with round ends and corners. */
export const line = (points: readonly Point[], colour: Colour, width: number, opacity: number): string =>
  `<polyline points="${points.map(([x, y]) => `${short(x)},${short(y)}`).join(' ')}" fill="none" ` +
  `stroke="${rgb(colour)}" stroke-width="${short(width)}" stroke-opacity="${opacity}" ` +
  'stroke-linecap="round" stroke-linejoin="round"/>'

/** A round blot. */
export const blot = ([x, y]: Point, radius: number, colour: Colour, opacity: number): string =>
  `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" fill="${rgb(colour)}" fill-opacity="${opacity}"/>`

export const svg = ({ width, height }: Size, shapes: readonly string[]): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join('')}</svg>`)

/** The shapes as an opaque picture with grain, different in every pixel each time. */
export async function grainy(size: Size, shapes: readonly string[], sigma: number): Promise<Sharp> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma }
  // One channel only: light and dark. Colours would make the picture three times as large.
  const grain = await sharp({ create: { ...size, channels: 3, background: '#808080', noise } })
    .extractChannel(0)
    .png()
    .toBuffer()
  const drawn = await sharp(svg(size, shapes))
    .composite([{ input: grain, blend: 'hard-light' }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(drawn.data, { raw: drawn.info })
}

/** A PNG as a data URL: pixels alone, never a text. */
export const dataUrl = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`
