import { crc32, deflateSync } from 'node:zlib'

export type Colour = readonly [red: number, green: number, blue: number]

/** A picture in memory: rows of red, green, blue, alpha. All drawing blends, so edges are soft. */
export class Raster {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8ClampedArray

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.pixels = new Uint8ClampedArray(width * height * 4)
  }

  /** Sets a pixel, replacing its value. */
  put(x: number, y: number, [red, green, blue]: Colour, alpha = 255): void {
    this.pixels.set([red, green, blue, alpha], (y * this.width + x) * 4)
  }

  /** Blends a colour over a pixel; outside the picture nothing happens. */
  blend(x: number, y: number, colour: Colour, share: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height || share <= 0) return
    const at = (y * this.width + x) * 4
    for (let part = 0; part < 3; part++) {
      const before = this.pixels[at + part] ?? 0
      this.pixels[at + part] = before + ((colour[part] ?? 0) - before) * Math.min(1, share)
    }
    this.pixels[at + 3] = 255
  }

  /** A soft round dot. */
  dot(x: number, y: number, radius: number, colour: Colour, share = 1): void {
    for (let row = Math.floor(y - radius - 1); row <= y + radius + 1; row++)
      for (let column = Math.floor(x - radius - 1); column <= x + radius + 1; column++) {
        const inside = radius + 0.5 - Math.hypot(column - x, row - y)
        this.blend(column, row, colour, Math.min(1, inside) * share)
      }
  }

  colourAt(x: number, y: number): Colour {
    const at = (y * this.width + x) * 4
    return [this.pixels[at] ?? 0, this.pixels[at + 1] ?? 0, this.pixels[at + 2] ?? 0]
  }

  /** The picture as a data URL of a PNG. */
  toDataUrl(): string {
    return `data:image/png;base64,${encodePng(this).toString('base64')}`
  }
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const EIGHT_BIT_RGBA = [8, 6, 0, 0, 0]

/** PNG of the picture: signature, header, one block of pixels, end. Never a text chunk. */
export function encodePng({ width, height, pixels }: Raster): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(EIGHT_BIT_RGBA, 8)
  const rows = Buffer.alloc(height * (width * 4 + 1))
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(row * width * 4, (row + 1) * width * 4), row * (width * 4 + 1) + 1)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
