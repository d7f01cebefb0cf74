import { compactDay, today } from '#kernel/values/date.ts'
import { pixels } from '#kernel/values/inexact.ts'
import { saveFile } from '#web/engine/http/download.ts'

/** Twice as fine as the screen, so that letters stay sharp in a document. */
const SCALE = 2

/**
 * Draws a part of the page as it is: colours, text and pictures, each in its place. Nothing is loaded from elsewhere,
 * so nothing can be kept from the canvas.
 */
export async function savePicture(place: HTMLElement, title: string): Promise<void> {
  const frame = place.getBoundingClientRect()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(frame.width * SCALE)
  canvas.height = Math.round(place.scrollHeight * SCALE)
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('there is no canvas to draw on')
  pen.scale(SCALE, SCALE)
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--canvas')
  pen.fillRect(0, 0, frame.width, place.scrollHeight)
  pen.translate(-frame.left, -frame.top + place.scrollTop)
  await draw(pen, place)
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('the canvas gave no picture')
  saveFile({ blob, name: `${title}${compactDay(today())}.png` })
}

async function draw(pen: CanvasRenderingContext2D, element: Element): Promise<void> {
  const style = getComputedStyle(element)
  const box = element.getBoundingClientRect()
  // Buttons do nothing in a picture.
  if (element instanceof HTMLElement && element.dataset.picture === 'without') return
  if (style.display === 'none' || style.visibility === 'hidden' || box.width === 0 || box.height === 0) return
  if (element instanceof SVGSVGElement) return drawSvg(pen, element, box, style.color)
  pen.fillStyle = style.backgroundColor
  pen.fillRect(box.left, box.top, box.width, box.height)
  if (element instanceof HTMLInputElement) return writeLine(pen, element.value, box, style)
  for (const child of element.childNodes)
    if (child instanceof Element) await draw(pen, child)
    else if (child.nodeType === Node.TEXT_NODE) write(pen, child, style)
}

/** A text at its place, line by line. */
function write(pen: CanvasRenderingContext2D, node: ChildNode, style: CSSStyleDeclaration): void {
  const text = (node.textContent ?? '').trim()
  if (text === '') return
  const range = document.createRange()
  range.selectNodeContents(node)
  const [line] = range.getClientRects()
  if (line === undefined) return
  writeLine(pen, text, line, style)
}

function writeLine(pen: CanvasRenderingContext2D, text: string, at: DOMRect, style: CSSStyleDeclaration): void {
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  pen.fillStyle = style.color
  pen.textBaseline = 'middle'
  pen.fillText(text, at.left, at.top + at.height / 2, Math.max(at.width, pixels(style.fontSize)))
}

async function drawSvg(pen: CanvasRenderingContext2D, svg: SVGSVGElement, box: DOMRect, colour: string): Promise<void> {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(box.width))
  copy.setAttribute('height', String(box.height))
  copy.style.color = colour
  if (svg.getAttribute('fill') === 'currentColor') copy.setAttribute('fill', colour)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await image.decode()
  pen.drawImage(image, box.left, box.top, box.width, box.height)
}
