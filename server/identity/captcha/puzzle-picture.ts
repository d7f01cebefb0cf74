import { blot, type Colour, grainy, rgb, svg } from '#server/identity/captcha/picture.ts'
import { chance } from '#server/identity/captcha/random.ts'

/** Sizes of the puzzle in pixels; positions on the wire use them, whatever size the page shows. */
export const puzzleSize = { width: 320, height: 160, piece: 56 } as const
const { width, height } = puzzleSize
const KNOB = 9
const BODY = puzzleSize.piece - KNOB

export type PuzzlePicture = {
  readonly x: number
  readonly y: number
  /** Both as PNG. */
  readonly background: Buffer
  readonly piece: Buffer
}

/** The outline of the piece: a square with a knob on top and a notch on the right, half a pixel inside its box. */
const OUTLINE = [
  `M0.5 ${KNOB}H${BODY / 2 - KNOB}`,
  `A${KNOB - 0.5} ${KNOB - 0.5} 0 0 1 ${BODY / 2 + KNOB} ${KNOB}`,
  `H${BODY}V${KNOB + BODY / 2 - KNOB}`,
  `A${KNOB} ${KNOB} 0 0 0 ${BODY} ${KNOB + BODY / 2 + KNOB}`,
  `V${KNOB + BODY - 0.5}H0.5Z`,
].join('')

/**
 * A landscape with a hole in the shape of a puzzle piece, and the piece: dragged from the left edge to `x`, it fits
 * the hole.
 */
export async function drawPuzzle(): Promise<PuzzlePicture> {
  const x = chance.whole(90, width - puzzleSize.piece - 12)
  const y = chance.whole(8, height - puzzleSize.piece - 8)
  const box = { width: puzzleSize.piece, height: puzzleSize.piece }
  const landscape = await grainy(puzzleSize, scenery(), 5)
  const [shape, edge] = [
    svg(box, [`<path d="${OUTLINE}"/>`]),
    svg(box, [`<path d="${OUTLINE}" fill="none" stroke="#fff"/>`]),
  ]
  const hole = svg(box, [
    `<path d="${OUTLINE}" fill="rgb(20,26,38)" fill-opacity="0.52" stroke="#fff" stroke-opacity="0.55"/>`,
  ])
  const [piece, background] = await Promise.all([
    landscape
      .clone()
      .extract({ left: x, top: y, ...box })
      .ensureAlpha()
      .composite([{ input: shape, blend: 'dest-in' }, { input: edge }])
      .png()
      .toBuffer(),
    landscape
      .clone()
      .composite([{ input: hole, left: x, top: y }])
      .png()
      .toBuffer(),
  ])
  return { x, y, background, piece }
}

/** Hills under a sky, different each time: no two pictures share their pixels. */
const scenery = (): string[] => [
  '<defs><linearGradient id="sky" x2="0" y2="1">' +
    `<stop offset="0" stop-color="${rgb(tone(150, 225))}"/><stop offset="1" stop-color="${rgb(tone(200, 250))}"/>` +
    '</linearGradient></defs><rect width="100%" height="100%" fill="url(#sky)"/>',
  blot([chance.between(30, 290), chance.between(20, 55)], chance.between(10, 20), [255, 246, 214], 0.9),
  ...Array.from({ length: 4 }, (_, layer) => hills(layer)),
  ...Array.from({ length: 14 }, () =>
    blot([chance.between(0, width), chance.between(60, height)], chance.between(2, 11), tone(60, 220), 0.5),
  ),
]

function hills(layer: number): string {
  const colour = tone(110 - layer * 22, 190 - layer * 26)
  const [base, first, second] = [62 + layer * 24, chance.between(0, 6.3), chance.between(0, 6.3)]
  const [long, short] = [chance.between(38, 70), chance.between(13, 24)]
  const crest = Array.from({ length: width / 2 + 1 }, (_, step) => {
    const x = step * 2
    return `${x},${(base + 15 * Math.sin(x / long + first) + 6 * Math.sin(x / short + second)).toFixed(1)}`
  })
  return `<polygon points="0,${height} ${crest.join(' ')} ${width},${height}" fill="${rgb(colour)}"/>`
}

const tone = (least: number, most: number): Colour => [
  chance.whole(least, most),
  chance.whole(least, most),
  chance.whole(least, most),
]
