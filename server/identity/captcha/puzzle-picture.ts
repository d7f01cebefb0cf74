import { chance } from '#server/identity/captcha/random.ts'
import { type Colour, Raster } from '#server/identity/captcha/raster.ts'

/** Sizes of the puzzle in pixels; positions on the wire use them, whatever size the page shows. */
export const puzzleSize = { width: 320, height: 160, piece: 56 } as const
const KNOB = 9
const BODY = puzzleSize.piece - KNOB

export type PuzzlePicture = {
  readonly x: number
  readonly y: number
  readonly background: Raster
  readonly piece: Raster
}

/**
 * A landscape with a hole in the shape of a puzzle piece, and the piece: dragged from the left edge to `x`, it fits
 * the hole.
 */
export function drawPuzzle(): PuzzlePicture {
  const background = landscape()
  const x = chance.whole(90, puzzleSize.width - puzzleSize.piece - 12)
  const y = chance.whole(8, puzzleSize.height - puzzleSize.piece - 8)
  const piece = new Raster(puzzleSize.piece, puzzleSize.piece)
  cut(background, piece, x, y)
  return { x, y, background, piece }
}

/** Whether a point is inside the piece: a square with a knob on top and a notch on the right. */
function isInside(x: number, y: number): boolean {
  const knob = Math.hypot(x - BODY / 2, y - KNOB) <= KNOB
  const notch = Math.hypot(x - BODY, y - KNOB - BODY / 2) <= KNOB
  return (knob && y <= KNOB + 1) || (x >= 0 && x < BODY && y >= KNOB && y < KNOB + BODY && !notch)
}

function cut(background: Raster, piece: Raster, left: number, top: number): void {
  for (let y = 0; y < puzzleSize.piece; y++)
    for (let x = 0; x < puzzleSize.piece; x++) {
      if (!isInside(x, y)) continue
      const edge = !isInside(x - 1, y) || !isInside(x + 1, y) || !isInside(x, y - 1) || !isInside(x, y + 1)
      piece.put(x, y, edge ? [255, 255, 255] : background.colourAt(left + x, top + y))
      background.blend(left + x, top + y, edge ? [255, 255, 255] : [20, 26, 38], edge ? 0.55 : 0.52)
    }
}

/** Hills under a sky, different each time, with grain: no two pictures share their pixels. */
function landscape(): Raster {
  const picture = new Raster(puzzleSize.width, puzzleSize.height)
  const [above, below] = [tone(150, 225), tone(200, 250)]
  for (let y = 0; y < picture.height; y++)
    for (let x = 0; x < picture.width; x++) picture.put(x, y, grain(mix(above, below, y / picture.height)))
  picture.dot(chance.between(30, 290), chance.between(20, 55), chance.between(10, 20), [255, 246, 214], 0.9)
  for (let layer = 0; layer < 4; layer++) hills(picture, layer)
  for (let count = 0; count < 14; count++)
    picture.dot(chance.between(0, 320), chance.between(60, 160), chance.between(2, 11), tone(60, 220), 0.5)
  return picture
}

function hills(picture: Raster, layer: number): void {
  const colour = tone(110 - layer * 22, 190 - layer * 26)
  const [base, first, second] = [62 + layer * 24, chance.between(0, 6.3), chance.between(0, 6.3)]
  const [long, short] = [chance.between(38, 70), chance.between(13, 24)]
  for (let x = 0; x < picture.width; x++) {
    const crest = base + 15 * Math.sin(x / long + first) + 6 * Math.sin(x / short + second)
    for (let y = Math.max(0, Math.round(crest)); y < picture.height; y++) picture.put(x, y, grain(colour))
  }
}

const tone = (least: number, most: number): Colour => [
  chance.whole(least, most),
  chance.whole(least, most),
  chance.whole(least, most),
]
const mix = (one: Colour, other: Colour, share: number): Colour => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
]
const grain = ([red, green, blue]: Colour): Colour => {
  const by = chance.whole(-7, 7)
  return [red + by, green + by, blue + by]
}
