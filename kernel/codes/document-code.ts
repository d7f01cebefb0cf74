import { parseCode } from './parse-code.ts'

/** The document number that a scanned or typed text is, in whatever case and width; any other text without blanks around. */
export function asDocumentSn(text: string): string {
  const read = parseCode(text.toUpperCase())
  return read.ok && read.kind === 'document' ? read.text : text.trim()
}
