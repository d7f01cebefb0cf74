import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium'
import { onlyInFileWorker } from '#server/file-workers/in-worker.ts'

let library: Promise<PDFiumLibrary> | null = null

/** A foreign PDF, page by page; fails where it is broken or needs a password. */
export async function withPdf<T>(bytes: Uint8Array, work: (pdf: PDFiumDocument) => Promise<T>): Promise<T> {
  onlyInFileWorker('a PDF')
  library ??= PDFiumLibrary.init()
  const pdf = await (await library).loadDocument(bytes)
  try {
    return await work(pdf)
  } finally {
    pdf.destroy()
  }
}

/** The number of pages of a PDF, by its table of contents: no page is unpacked. */
export const pagesOf = (bytes: Uint8Array): Promise<number> => withPdf(bytes, async pdf => pdf.getPageCount())
